/// The page of a report: its style and script around the rows, which are JSON arrays.
///
/// The script draws totals, charts and the visible rows of the table. It makes no request, and its content policy allows
/// none. Text of items is set as text, never as markup.
enum ReportPage {
    /// Returns the text before the rows.
    static func opening(title: String, columns: [String]) -> String {
        let names = columns.map { "\"\($0)\"" }.joined(separator: ",")
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <title>alcedo: \(escaped(title))</title>
            <style>\(style)</style>
            </head>
            <body>
            <h1>\(escaped(title))</h1>
            <noscript><p>This page needs JavaScript for its table. The .csv and .jsonl reports have the same rows.</p></noscript>
            <p id="totals"></p>
            <div id="charts"></div>
            <form id="search" role="search"><label for="filter">Filter</label>
            <input id="filter" type="search" autocomplete="off" spellcheck="false"
              placeholder="word  *.png  host:NAME  status:failed  type:png  error:timeout  w&gt;1000  bytes&lt;1M  dup  mismatch  !word  a | b">
            <output id="count" for="filter"></output></form>
            <p id="problem" role="alert"></p>
            <div id="table" tabindex="0" role="region" aria-label="pictures"><table><thead><tr id="head"></tr></thead>
            <tbody id="body"></tbody></table></div>
            <details id="sheet" hidden><summary>Contact sheet</summary><div></div></details>
            <section id="details" aria-live="polite"></section>
            <script type="application/json" id="columns">[\(names)]</script>
            <script type="application/json" id="rows">[

            """
    }

    /// The text after the rows.
    static let closing = """

        ]</script>
        <script>\(script)</script>
        </body>
        </html>

        """

    private static let policy =
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

    private static func escaped(_ text: String) -> String {
        text.replacingScalars(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
    }

    private static let style = """
        :root { color-scheme: light dark; --line: #8885; --mark: #2a7de1; --bad: #d0342c; --soft: #8882; }
        body { font: 14px/1.45 system-ui, sans-serif; margin: 1.2rem; max-width: 110rem; }
        h1 { font-size: 1.2rem; margin: 0 0 .3rem; overflow-wrap: anywhere; }
        #charts { display: flex; flex-wrap: wrap; gap: 1.2rem; margin: .8rem 0; }
        figure { margin: 0; min-width: 17rem; max-width: 28rem; flex: 1; }
        figcaption { font-weight: 600; margin-bottom: .2rem; }
        figure button { display: grid; grid-template-columns: 9rem 1fr 5rem; gap: .5rem; width: 100%; border: 0;
          background: none; font: inherit; color: inherit; padding: .05rem 0; text-align: left; cursor: pointer; }
        figure button:hover, figure button:focus-visible { background: var(--soft); }
        figure span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        figure svg { width: 100%; height: 1.1em; }
        figure rect { fill: var(--mark); }
        figure .bad rect { fill: var(--bad); }
        figure b { font-weight: 400; text-align: right; font-variant-numeric: tabular-nums; }
        form { display: flex; gap: .6rem; align-items: center; margin: .6rem 0; }
        input { flex: 1; font: inherit; padding: .3rem .5rem; }
        #problem { color: var(--bad); margin: 0; }
        #table { height: 60vh; overflow: auto; border: 1px solid var(--line); }
        table { border-collapse: separate; border-spacing: 0; width: 100%; min-width: 82rem; table-layout: fixed; }
        th { position: sticky; top: 0; background: Canvas; border-bottom: 1px solid var(--line); padding: 0; z-index: 1; }
        th button { font: inherit; font-weight: 600; border: 0; background: none; color: inherit; width: 100%;
          padding: .25rem .5rem; text-align: left; cursor: pointer; }
        td { height: 24px; padding: 0 .5rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        td.number { text-align: right; font-variant-numeric: tabular-nums; }
        tr.item { cursor: pointer; }
        tr.item:hover { background: var(--soft); }
        tr.failed td { color: var(--bad); }
        #sheet { margin: .8rem 0; }
        #sheet summary { font-weight: 600; cursor: pointer; }
        #sheet div { display: flex; flex-wrap: wrap; gap: .4rem; margin-top: .4rem; }
        #sheet button { border: 1px solid var(--line); background: none; padding: .2rem; width: 142px; height: 142px;
          cursor: pointer; }
        #sheet button.failed { border-color: var(--bad); }
        #sheet button:hover, #sheet button:focus-visible { background: var(--soft); }
        #details dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
        #details dd { margin: 0; overflow-wrap: anywhere; }
        """

    private static let script = #"""
        "use strict";
        const names = JSON.parse(document.getElementById("columns").textContent);
        const rows = JSON.parse(document.getElementById("rows").textContent);
        const at = Object.fromEntries(names.map((name, index) => [name, index]));
        const host = row => { const part = /^[a-z]+:\/\/([^/?#]*)/.exec(row[at.url] || ""); return part ? part[1] : ""; };
        const count = n => n.toLocaleString("en");
        const size = bytes => {
          if (bytes == null) return "";
          let unit = 0;
          while (bytes >= 1024 && unit < 4) { bytes /= 1024; unit++; }
          return (unit ? bytes.toFixed(bytes < 10 ? 2 : bytes < 100 ? 1 : 0) : bytes) + " " + ["B", "KiB", "MiB", "GiB", "TiB"][unit];
        };
        const failed = row => row[at.status] === "failed";
        const shown = [
          ["url", row => row[at.url], 38], ["status", row => row[at.status], 8], ["http", row => row[at.http], 5, true],
          ["error", row => row[at.error], 16], ["format", row => row[at.format], 8],
          ["pixels", row => row[at.width] ? row[at.width] * row[at.height] : null, 10, true,
            row => row[at.width] ? row[at.width] + "×" + row[at.height] : ""],
          ["bytes", row => row[at.bytes], 8, true, row => size(row[at.bytes])], ["frames", row => row[at.frames], 6, true],
          ["verdict", row => row[at.verdict], 9], ["mismatch", row => row[at.mismatch], 12],
          ["ms", row => row[at.ms], 7, true],
        ];

        // The filter language of docs/filters.md, without like:, which needs all pairs.
        const units = { "": 1, k: 1024, m: 1048576, g: 1073741824, t: 1099511627776 };
        const numbers = { w: row => row[at.width], h: row => row[at.height], bytes: row => row[at.bytes],
          size: row => row[at.bytes], frames: row => row[at.frames],
          mpx: row => row[at.width] && row[at.width] * row[at.height] / 1e6 };
        const compare = { ">": (n, limit) => n > limit, "<": (n, limit) => n < limit,
          ">=": (n, limit) => n >= limit, "<=": (n, limit) => n <= limit };
        const same = (value, wanted) => String(value ?? "").toLowerCase().replaceAll(" ", "") === wanted;
        const includes = (value, wanted) => String(value ?? "").toLowerCase().includes(wanted);
        const shortNames = { jpg: "jpeg", jxl: "jpegxl", tif: "tiff", jp2: "jpeg2000", hdr: "radiancehdr" };
        const fields = {
          host: wanted => row => { const h = host(row).toLowerCase(); return h === wanted || h.replace(/:\d+$/, "") === wanted; },
          type: wanted => row => same(row[at.format], (shortNames[wanted] ?? wanted).replaceAll(" ", "")),
          status: wanted => /^\d(\d\d|xx)$/.test(wanted)
            ? row => new RegExp("^" + wanted.replace("xx", "..") + "$").test(row[at.http] ?? "")
            : row => same(row[at.status], wanted),
          error: wanted => row => same(row[at.errorKind], wanted) || includes(row[at.error], wanted),
          verdict: wanted => row => same(row[at.verdict], wanted),
          color: wanted => row => same(row[at.colorModel], wanted),
          alpha: wanted => row => row[at.alpha] === (wanted === "yes"),
          ratio: wanted => {
            const [w, h] = wanted.split(":").map(Number), ratio = w / h;
            if (!(ratio > 0)) throw "ratio:" + wanted;
            return row => row[at.height] > 0 && Math.abs(row[at.width] / row[at.height] / ratio - 1) <= 0.01;
          },
        };
        let repeated = null;
        function isRepeated(row) {
          if (!repeated) {
            const seen = new Set();
            repeated = new Set();
            for (const { [at.sha256]: digest } of rows) if (digest) (seen.has(digest) ? repeated : seen).add(digest);
          }
          return repeated.has(row[at.sha256]);
        }
        function term({ text, quoted }) {
          if (!quoted && text[0] === "!" && text.length > 1) { const inner = term({ text: text.slice(1) }); return row => !inner(row); }
          if (!quoted && text[0] === "~") {
            try { const re = new RegExp(text.slice(1), "i"); return row => re.test(row[at.url] || "") || re.test(row[at.title] || ""); } catch { throw text; }
          }
          const parts = quoted ? null : /^([a-z]+)(>=|<=|[:<>])(.*)$/i.exec(text);
          if (parts && parts[2] !== ":" && parts[1] in numbers) {
            const number = /^([\d.]+)([kmgt]?)(i?b)?$/i.exec(parts[3]);
            if (!number) throw text;
            const limit = number[1] * units[number[2].toLowerCase()], read = numbers[parts[1]], test = compare[parts[2]];
            return row => { const n = read(row); return n != null && test(n, limit); };
          }
          if (parts && parts[2] === ":" && parts[1] in fields) return fields[parts[1]](parts[3].toLowerCase());
          if (!quoted && text === "mismatch") return row => row[at.mismatch] != null;
          if (!quoted && text === "dup") return isRepeated;
          if (!quoted && /^like(:\d*)?$/.test(text)) throw "like: (use alcedo report --where)";
          const wanted = text.toLowerCase().replace(/^\/(.+)\/$/, "$1");
          if (wanted.length > 1 && (wanted.includes("*") || wanted[0] === "/")) {
            const re = new RegExp(wanted.split("*").map(part => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join(".*") + "$");
            return row => re.test((row[at.url] || "").replace(/[?#].*$/, "").toLowerCase());
          }
          return row => includes(row[at.url], wanted) || includes(row[at.title], wanted);
        }
        function parse(text) {
          const choices = [[]];
          for (const m of text.matchAll(/!?~\S+|([^\s"|]*)"([^"]*)"?|[^\s"|]+|\|/g)) {
            if (m[0] === "|") choices.push([]);
            else choices.at(-1).push(term(m[2] == null ? { text: m[0] } : { text: m[1] + m[2], quoted: !m[1] }));
          }
          return choices.filter(terms => terms.length);
        }

        let visible = rows, order = null, descending = false;
        const field = document.getElementById("filter"), problem = document.getElementById("problem");
        const box = document.getElementById("table"), body = document.getElementById("body"), high = 24;
        function select() {
          let choices = [];
          problem.textContent = "";
          try { choices = parse(field.value); } catch (word) {
            problem.textContent = "not a filter term: " + word;
            return;
          }
          visible = choices.length
            ? rows.filter(row => choices.some(terms => terms.every(test => test(row)))) : rows.slice();
          if (order) {
            const read = order[1], turn = descending ? -1 : 1;
            visible.sort((a, b) => {
              const x = read(a), y = read(b);
              if (x == null || y == null) return (x == null) - (y == null);
              return (x < y ? -1 : x > y ? 1 : 0) * turn;
            });
          }
          document.getElementById("count").textContent = count(visible.length) + " of " + count(rows.length);
          box.scrollTop = 0;
          draw();
          drawSheet();
        }
        function picture(row) {
          const url = row[at.thumbnail];
          if (typeof url !== "string" || !url.startsWith("data:image/jpeg;base64,")) return [];
          const image = document.createElement("img");
          image.src = url; image.loading = "lazy"; image.alt = image.title = row[at.url];
          return [image];
        }
        const sheet = document.getElementById("sheet");
        sheet.hidden = !rows.some(row => row[at.thumbnail]);
        function drawSheet() {
          if (sheet.hidden || !sheet.open) return;
          const buttons = visible.filter(row => row[at.thumbnail]).slice(0, 2000).map(row => {
            const button = document.createElement("button");
            button.type = "button";
            if (failed(row)) button.className = "failed";
            button.append(...picture(row));
            button.onclick = () => detail(row);
            return button;
          });
          sheet.querySelector("div").replaceChildren(...buttons);
        }
        sheet.ontoggle = drawSheet;
        function cell(text, isNumber) {
          const td = document.createElement("td");
          td.textContent = td.title = text ?? "";
          if (isNumber) td.className = "number";
          return td;
        }
        function space(height) {
          const tr = document.createElement("tr"), td = document.createElement("td");
          td.colSpan = shown.length; td.style.height = height + "px"; td.style.padding = 0;
          tr.append(td);
          return tr;
        }
        function draw() {
          const first = Math.max(0, Math.floor(box.scrollTop / high) - 10);
          const last = Math.min(visible.length, first + Math.ceil(box.clientHeight / high) + 20);
          const lines = visible.slice(first, last).map(row => {
            const tr = document.createElement("tr");
            tr.className = failed(row) ? "item failed" : "item";
            tr.tabIndex = 0;
            for (const [, read, , isNumber, text] of shown) tr.append(cell(text ? text(row) : read(row), isNumber));
            tr.onclick = () => detail(row);
            tr.onkeydown = event => { if (event.key === "Enter") detail(row); };
            return tr;
          });
          body.replaceChildren(space(first * high), ...lines, space((visible.length - last) * high));
        }
        function detail(row) {
          const list = document.createElement("dl");
          names.forEach((name, index) => {
            if (row[index] == null) return;
            const dt = document.createElement("dt"), dd = document.createElement("dd");
            dt.textContent = name;
            if (index === at.thumbnail) dd.append(...picture(row)); else dd.textContent = row[index];
            list.append(dt, dd);
          });
          document.getElementById("details").replaceChildren(list);
          list.scrollIntoView({ block: "nearest" });
        }
        for (const column of shown) {
          const th = document.createElement("th"), button = document.createElement("button");
          button.textContent = column[0];
          th.style.width = column[2] + "%";
          th.scope = "col";
          button.onclick = () => {
            descending = order === column && !descending;
            order = column;
            for (const other of document.querySelectorAll("th")) other.removeAttribute("aria-sort");
            th.setAttribute("aria-sort", descending ? "descending" : "ascending");
            select();
          };
          th.append(button);
          document.getElementById("head").append(th);
        }

        function chart(caption, read, name, isBad = () => false, limit = 10) {
          const sums = new Map();
          for (const row of rows) { const key = read(row); if (key) sums.set(key, (sums.get(key) ?? 0) + 1); }
          if (!sums.size) return;
          const figure = document.createElement("figure"), heading = document.createElement("figcaption");
          heading.textContent = caption + (sums.size > limit ? ` (${limit} of ${count(sums.size)})` : "");
          figure.append(heading);
          const sorted = [...sums].sort((a, b) => b[1] - a[1]).slice(0, limit);
          for (const [key, value] of sorted) {
            const button = document.createElement("button"), label = document.createElement("span");
            const number = document.createElement("b"), svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
            const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect");
            bar.setAttribute("width", 100 * value / sorted[0][1] + "%"); bar.setAttribute("height", "100%");
            svg.setAttribute("aria-hidden", "true"); svg.append(bar);
            label.textContent = label.title = key; number.textContent = count(value);
            if (isBad(key)) button.className = "bad";
            button.type = "button";
            button.append(label, svg, number);
            button.onclick = () => { field.value = name(key); select(); field.focus(); };
            figure.append(button);
          }
          document.getElementById("charts").append(figure);
        }
        const quoted = (name, key) => name + ":" + (/[\s"]/.test(key) ? '"' + key.replaceAll('"', "") + '"' : key);
        chart("Status", row => row[at.status], key => quoted("status", key), key => key === "failed");
        chart("Hosts", host, key => quoted("host", key));
        chart("Errors", row => row[at.error], key => quoted("error", key), () => true);
        chart("Formats", row => row[at.format], key => quoted("type", key));
        const steps = [["below 10 KiB", 10240, "bytes<10K"], ["10 to 100 KiB", 102400, "bytes>10239 bytes<100K"],
          ["100 KiB to 1 MiB", 1048576, "bytes>102399 bytes<1M"], ["1 to 10 MiB", 10485760, "bytes>1048575 bytes<10M"],
          ["10 MiB and more", Infinity, "bytes>10485759"]];
        const step = row => row[at.bytes] == null ? null : steps.find(s => row[at.bytes] < s[1])[0];
        chart("Size", step, key => steps.find(s => s[0] === key)[2]);

        const bad = rows.filter(failed).length, sum = rows.reduce((n, row) => n + (row[at.bytes] ?? 0), 0);
        document.getElementById("totals").textContent =
          `${count(rows.length)} pictures, ${count(bad)} failed, ${size(sum)}`;
        field.oninput = select;
        document.getElementById("search").onsubmit = event => { event.preventDefault(); select(); };
        box.onscroll = draw;
        addEventListener("resize", draw);
        select();
        """#
}
