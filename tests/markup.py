"""HTML for the tests: holds tags against each other."""

from html.parser import HTMLParser


class Tags(HTMLParser):
    """Reads a page; every tag but a line break has to be closed where it was opened.

    Attributes:
        open: The tags that have not been closed.
        seen: All tags that were opened, in order.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_is_whole(page: str) -> None:
    """Make sure that what a seat of three sees is one table of four columns, with a caption and header cells."""
    tags = Tags(page)
    assert tags.open == []
    assert tags.seen.count("caption") == 1
    assert tags.seen.count("th") == 5 + 3
    assert tags.seen.count("td") == 12
    assert page.count('scope="row"') == 3
