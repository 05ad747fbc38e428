// What every report must do in a browser, whatever it shows.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";

export const plain = (text) => text.replaceAll("\u00a0", " ");

// `what` of every node that the selector finds.
export const allOf = (browser) => (selector, what = "node.textContent") =>
  browser.run(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((node) => ${what})`);

// It is readable in light and dark, and never wider than the window. BOWERBIRD_SCREENSHOTS=DIR keeps pictures.
export async function fits(browser, name) {
  const pictures = process.env.BOWERBIRD_SCREENSHOTS;
  for (const scheme of ["light", "dark"]) {
    await browser.scheme(scheme);
    const paper = await browser.run("getComputedStyle(document.body).backgroundColor");
    assert.equal(paper === "rgb(255, 255, 255)", scheme === "light", `background of a ${scheme} page: ${paper}`);
    for (const width of [400, 1000, 1600]) {
      await browser.size(width);
      const wide = await browser.run("document.documentElement.scrollWidth");
      assert.ok(wide <= width, `at ${width} pixels the page is ${wide} wide`);
      if (pictures) writeFileSync(`${pictures}/${name}-${scheme}-${width}.png`, await browser.screenshot());
    }
  }
  await browser.scheme("light");
  await browser.size(1200);
}

// It has the names and roles that a screen reader needs.
export async function speaks(browser) {
  const all = allOf(browser);
  const without = async (selector, named) => assert.deepEqual((await all(selector, named)).filter((good) => !good), [], selector);
  assert.equal((await all("h1")).length, 1);
  await without("button, input, select", "!!(node.textContent.trim() || node.labels?.length || node.ariaLabel)");
  await without("svg", "node.getAttribute('aria-hidden') === 'true' || (node.getAttribute('role') === 'img' && !!node.getAttribute('aria-label'))");
  await without("table", "!!node.querySelector('th[scope=col]')");
}

// It loads nothing, and its tables are sound.
export async function isWhole(browser, name, texts) {
  const page = plain(await browser.run("document.body.textContent"));
  for (const text of texts) assert.ok(page.includes(text), `the page says ${text}`);
  assert.equal(await browser.run("document.querySelectorAll('#page img, #page script, #page iframe').length"), 0);
  await fits(browser, name);
  await speaks(browser);
  assert.deepEqual(await browser.tableFaults(), []);
  await browser.size(1200);
}
