// A decoder under an attacker's control, which tries to leave the sandbox. Its attempts run in a helper process of the
// tests, by `sandbox_attempt` of CSandbox.h.
#ifndef ALCEDO_CHOSTILE_DECODER_H
#define ALCEDO_CHOSTILE_DECODER_H

enum {
    hostile_read_file = 1,
    hostile_list_home,
    hostile_write_file,
    hostile_append_file,
    hostile_remove_file,
    hostile_connect,
    hostile_connect_unix,
    hostile_execute,
    hostile_fork,
    hostile_trace_parent,
    hostile_kill_parent,
    hostile_raise_memory_limit,
    hostile_open_descriptors,
    hostile_load_program_memory,
    hostile_allocate,
    hostile_loop,
    hostile_crash,
    hostile_sleep,
    hostile_wrong_size,
    hostile_mapped_memory,
    hostile_huge_size,
    hostile_escape_codes,
    hostile_garbage,
    hostile_exit,
    hostile_two_descriptors,
    hostile_many_descriptors,
    hostile_no_descriptor,
    hostile_long_message,
    hostile_find_environment,
    hostile_one_descriptor,
    hostile_threads,
    hostile_create_memory,
    hostile_endless_reply,
    hostile_become_root,
    hostile_two_replies
};

// Runs an attempt. Returns 0 if it succeeded, else the error number that stopped it; some attempts do not return.
int hostile_attempt(int number);
#endif
