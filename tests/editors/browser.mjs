// Drives Debian's Chromium against a running code-server or a terminal: node browser.mjs PLAYWRIGHT CHROMIUM PLAN.json
//
// The plan is {"url", "steps": [...]}, or {"terminal", "steps"} with the values of `openTerminal` (terminal.mjs); what
// the steps gave is printed as a JSON array. A step is one of
//   {"wait": SELECTOR, "text"?: TEXT}      until an element is visible (and holds the text): its text
//   {"click": SELECTOR}, {"press": KEYS}, {"type": TEXT}
//                                          keys go to what has the focus, or to the element of "into": SELECTOR
//   {"press": KEYS, "until": SELECTOR}     the keys again and again until an element is visible: a file that is still
//                                          being opened takes the focus, and what the keys had shown goes away
//   {"letter": LETTER, "until": STEP}      the letter, which is deleted and typed again until the element of the "wait"
//                                          step is there: its text
//   {"hover": SELECTOR, "text": TEXT, "shows": STEP}
//                                          the mouse over the element with that text, again and again until the
//                                          element of the "wait" step is there: its text
//   {"rest": [LEFT, TOP]}                  the mouse at a place of the window, where it shows nothing
//   {"file": PATH}                         until that file exists: null
//   {"write": PATH, "text": TEXT}          a new file with that text: null
//   {"styles": [[LINE, WORD], ...], "settled": {"word": [LINE, WORD], PROPERTY: VALUE}}
//                                          until the computed style of one word has that value: the colour, font style
//                                          and font weight of each word in the line of the editor that has the text
//   {"screenshot": PATH, "clip"?: BOX, "of"?: SELECTOR}
//                                          a picture of the window, of {x, y, width, height} of it, or of an element

import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

import { openTerminal } from "./terminal.mjs";

const [playwright, executablePath, plan] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(playwright);
const { url, terminal, steps } = JSON.parse(readFileSync(plan, "utf8"));
const PATIENCE_MS = 30_000;
const LOOK_MS = 3_000;
const QUIET = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
const PLAIN = ["--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"];

// Chromium's sandbox needs rights that containers and the superuser do not have.
let page;
let now;
let close;
// Each window has a profile of its own. They share a cache, so that only the first one compiles the code of VS Code.
const browser = await chromium.launchPersistentContext(mkdtempSync(`${plan}.profile-`), {
  executablePath,
  args: ["--no-sandbox", `--disk-cache-dir=${plan}.cache`, ...QUIET, ...PLAIN],
  viewport: { width: 1000, height: 640 },
  deviceScaleFactor: 1.5,
});
try {
  [page] = browser.pages();
  page.setDefaultTimeout(PATIENCE_MS);
  close = terminal ? await openTerminal(page, terminal) : await page.goto(url).then(() => () => {});
  const results = [];
  for (const step of steps) {
    now = step;
    results.push((await perform(page, step)) ?? null);
  }
  process.stdout.write(JSON.stringify(results));
} catch (error) {
  // What the window looked like says more than the error.
  await page?.screenshot({ path: `${plan}.failure.png` });
  throw new Error(`at the step ${JSON.stringify(now)}`, { cause: error });
} finally {
  close?.();
  await browser.close();
}

async function perform(page, step) {
  if (step.wait) {
    const found = locate(page, step.wait, step.text);
    await found.waitFor({ state: step.state ?? "visible" });
    return step.state ? null : found.textContent();
  }
  if (step.click) {
    return locate(page, step.click, step.text).click();
  }
  if (step.press) {
    return press(page, step);
  }
  if (step.type) {
    const typed = { delay: 20 };
    return step.into
      ? locate(page, step.into).pressSequentially(step.type, typed)
      : page.keyboard.type(step.type, typed);
  }
  if (step.letter) {
    return letter(page, step);
  }
  if (step.hover) {
    return hover(page, step);
  }
  if (step.rest) {
    return page.mouse.move(...step.rest);
  }
  if (step.file) {
    return file(step.file);
  }
  if (step.write) {
    // The reader of the file never sees half of it.
    writeFileSync(`${step.write}.part`, step.text);
    return renameSync(`${step.write}.part`, step.write);
  }
  if (step.styles) {
    return styles(page, step);
  }
  if (step.screenshot) {
    // A hover fades in: a picture taken at once shows half of it.
    await page.waitForTimeout(1000);
    const target = step.of ? locate(page, step.of) : page;
    await target.screenshot({ path: step.screenshot, clip: step.clip });
    return null;
  }
  throw new Error(`no such step: ${JSON.stringify(step)}`);
}

function locate(page, selector, text) {
  const found = page.locator(selector);
  return (text === undefined ? found : found.filter({ hasText: text })).first();
}

async function press(page, step) {
  if (step.into) {
    return locate(page, step.into).press(step.press);
  }
  await page.keyboard.press(step.press);
  const shown = step.until && locate(page, step.until);
  for (const end = Date.now() + PATIENCE_MS; shown && !(await appears(shown)); ) {
    if (Date.now() > end) {
      throw new Error(`${step.press} does not show ${step.until}`);
    }
    await page.keyboard.press(step.press);
  }
}

// VS Code forgets linked places while it asks for them again: a letter that is typed just then changes one place alone.
async function letter(page, { letter, until }) {
  const shown = locate(page, until.wait, until.text);
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    await page.keyboard.type(letter);
    if ((await appears(shown)) || Date.now() > end) {
      return shown.textContent({ timeout: LOOK_MS });
    }
    await page.keyboard.press("Backspace");
    await page.waitForTimeout(LOOK_MS);
  }
}

// An editor forgets a resting mouse when something moves under it (a hint that comes late, a notification that goes):
// a person moves the mouse again, or asks with the keys.
async function hover(page, step) {
  const word = locate(page, step.hover, step.text);
  const shown = locate(page, step.shows.wait, step.shows.text);
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    await word.hover();
    if (await appears(shown)) {
      return shown.textContent();
    }
    await word.click();
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+i");
    if ((await appears(shown)) || Date.now() > end) {
      return shown.textContent({ timeout: LOOK_MS });
    }
    await page.mouse.move(1, 1);
  }
}

async function appears(element) {
  return element.waitFor({ timeout: LOOK_MS }).then(
    () => true,
    () => false,
  );
}

async function styles(page, { styles, settled }) {
  const { word, ...wanted } = settled;
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    const [key] = await page.evaluate(computedStyles, [word]);
    if (Object.entries(wanted).every(([property, value]) => key[property] === value)) {
      return page.evaluate(computedStyles, styles);
    }
    if (Date.now() > end) {
      throw new Error(`the style of ${word} stays ${JSON.stringify(key)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

// Runs in the page. The editor joins words of one style in one element, and writes blanks as no-break spaces.
function computedStyles(words) {
  const plain = (text) => text.replaceAll("\u00a0", " ");
  const lines = [...document.querySelectorAll(".view-line")];
  return words.map(([text, word]) => {
    const line = lines.find((each) => plain(each.textContent).includes(text));
    let left = line ? plain(line.textContent).indexOf(word, plain(line.textContent).indexOf(text)) : -1;
    if (left < 0) {
      return { missing: `${text}: ${word}` };
    }
    const nodes = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode() && left >= nodes.currentNode.length) {
      left -= nodes.currentNode.length;
    }
    const { color, fontStyle, fontWeight } = getComputedStyle(nodes.currentNode.parentElement);
    return { color, fontStyle, fontWeight };
  });
}

async function file(path) {
  for (const end = Date.now() + 4 * PATIENCE_MS; !existsSync(path); ) {
    if (Date.now() > end) {
      throw new Error(`${path} did not appear`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
