"""Which of these links may a crawler follow? (docs/python.md): tools/python examples/urls.py"""
import bowerbird

robots = bowerbird.Robots("User-agent: *\nDisallow: /private\n", "mybot/1.0")
page = bowerbird.parse_page('<a href="/b?utm_source=x">b</a> <a href="/private/c">c</a>', "http://example.org/a")
for link in page.links:
    print(link.url, bowerbird.url_host(link.url), "allowed" if robots.allows(link.url) else "forbidden")
