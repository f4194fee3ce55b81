"""Makes links of the repository those of the site."""

import pathlib
import posixpath
import re

# Articles of a DocC catalogue lie below their module; the page of the module has the catalogue's name.
ARTICLE = re.compile(r"\]\((?:\.\./)*Sources/\w+/(\w+)\.docc/(\w+)\.md\)")
# DocC's pages say what the lists of docs/api say, and more.
LISTS = re.compile(r"\]\(api\)")
REFERENCE = "reference/documentation"
# A guide's name as the text of its own link: the site shows its title.
NAMED = re.compile(r"\[[\w./-]*\b[a-z][a-z-]*\.md\]\(([\w./-]+\.md)\)")


def on_page_markdown(markdown, page, config, files):
    folder = posixpath.dirname(page.file.src_uri)

    def reference(path):
        return f"]({posixpath.relpath(f'{REFERENCE}/{path}index.html', folder or '.')})"

    def article(match):
        module, name = match.group(1).lower(), match.group(2).lower()
        return reference(f"{module}/" if module == name else f"{module}/{name}/")

    def titled(match):
        file = pathlib.Path(config.docs_dir, folder, match.group(1))
        title = re.search(r"^# (.+)", file.read_text(), re.MULTILINE) if file.exists() else None
        return f"[{title.group(1)}]({match.group(1)})" if title else match.group(0)

    markdown = ARTICLE.sub(article, markdown)
    markdown = LISTS.sub(lambda _: reference(""), markdown)
    return NAMED.sub(titled, markdown)


def on_page_content(html, page, config, files):
    # A bar in the code of a table is escaped for others, which take each bar for the end of a cell.
    return re.sub(r"<td.*?</td>", lambda cell: cell.group().replace("\\|", "|"), html, flags=re.DOTALL)


def on_post_page(output, page, config):
    # DocC finds its pages by the names of their folders only.
    return re.sub(rf'(href="[^"]*{REFERENCE}/[^"]*)index\.html"', r'\1"', output)
