import { normalizeHref } from '../href';
import { cleanTables, isSheet } from './clean-tables';
import { rename, unwrap } from './dom';
import { embeddedPicture } from './pasted-pictures';

/** Cleaned HTML, and what the cleaning left out. */
export interface Cleaned {
  /** Number of pictures on other hosts, which are left out. */
  pictures: number;
  /** Pictures whose bytes are part of the pasted page. */
  embedded: Blob[];
  looks: boolean;
}

const DROPPED_ELEMENTS =
  'script, style, meta, link, title, head, xml, template, object, embed, iframe, form input, select, textarea, colgroup, col, caption, [hidden]';
const HIDDEN_STYLE = /display:\s*none|mso-hide:\s*all|mso-element:\s*comment/i;
const FORMATTING_STYLE = /(?:^|;|\s)(?:color|font-family|font-size|background(?:-color)?)\s*:/i;
const PLAIN_COLOR =
  /color:\s*(?:black|windowtext|#000(?:000)?|rgb\(0, ?0, ?0\)|inherit|initial|currentcolor)\s*(?:;|$)/i;
const KEPT_ATTRIBUTES = new Set(['href', 'colspan', 'rowspan', 'start']);
const BLOCK_ELEMENTS = 'p, div, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, pre, hr';
const MAX_LIST_DEPTH = 4;

/**
 * Removes everything from a pasted page that a document cannot contain. What remains has no classes and no styles of
 * its own.
 */
export function cleanHtml(body: HTMLElement): Cleaned {
  const sheet = isSheet(body);
  const shown = shownPictures(body);
  const embedded = shown.flatMap((image) => embeddedPicture(image.getAttribute('src') ?? '') ?? []);
  const report: Cleaned = { pictures: shown.length - embedded.length, embedded, looks: hasLooks(body) };
  for (const element of body.querySelectorAll(DROPPED_ELEMENTS)) element.remove();
  for (const element of [...body.querySelectorAll<HTMLElement>('[style]')])
    if (HIDDEN_STYLE.test(element.getAttribute('style') ?? '')) element.remove();
  for (const image of body.querySelectorAll('img, picture, svg, video, canvas')) image.remove();
  cleanText(body);
  dropForeignElements(body);
  cleanTables(body, sheet);
  for (const element of [...body.querySelectorAll<HTMLElement>('*')]) cleanElement(element);
  flattenLists(body);
  dropEmpty(body);
  return report;
}

/**
 * The pictures that a person would see, without tracking pixels and without Office's drawings that duplicate a picture.
 */
function shownPictures(body: HTMLElement): HTMLImageElement[] {
  return [...body.querySelectorAll('img')].filter((image) => {
    const size = (name: 'width' | 'height') => {
      const styled = new RegExp(`(?:^|;)\\s*${name}:\\s*(\\d+)`, 'i').exec(image.getAttribute('style') ?? '')?.[1];
      return Number.parseFloat(image.getAttribute(name) ?? styled ?? '99');
    };
    return !(size('width') <= 2 || size('height') <= 2);
  });
}

const hasLooks = (body: HTMLElement) =>
  body.querySelector('font[color], font[face], [bgcolor]') !== null ||
  [...body.querySelectorAll('[style]')].some((element) => {
    const style = element.getAttribute('style') ?? '';
    return FORMATTING_STYLE.test(style.replace(PLAIN_COLOR, ''));
  });

/** Removes comments and invisible characters, and replaces special spaces by ordinary ones. */
function cleanText(body: HTMLElement): void {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.COMMENT_NODE) comments.push(node);
    else
      node.nodeValue = (node.nodeValue ?? '').replace(/\u00a0/g, ' ').replace(/[\u200b\u200e\u200f\ufeff\u00ad]/g, '');
  }
  for (const comment of comments) comment.parentNode?.removeChild(comment);
}

/**
 * Removes Office's drawings, such as `v:shape`. Unwraps other elements that a document does not have, such as `o:p` and
 * `st1:place`.
 */
function dropForeignElements(body: HTMLElement): void {
  for (const element of [...body.querySelectorAll('*')]) {
    const name = element.tagName.toLowerCase();
    if (name.startsWith('v:') || name.startsWith('w:')) element.remove();
    else if (name.includes(':') || name === 'font' || (name === 'a' && !element.hasAttribute('href'))) unwrap(element);
    // Google Docs wraps the whole clipboard in a <b> that is not bold.
    else if (name === 'b' && /font-weight:\s*normal/i.test(element.getAttribute('style') ?? '')) unwrap(element);
    else if (/^h[4-6]$/.test(name)) rename(element, 'h3');
    else if (name === 'pre') breakLines(rename(element, 'p'));
  }
}

function breakLines(element: HTMLElement): void {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text);
  for (const text of texts) {
    const lines = text.data.split('\n');
    text.replaceWith(
      ...lines.flatMap((line, index) => (index > 0 ? [element.ownerDocument.createElement('br'), line] : [line])),
    );
  }
}

/**
 * Reduces an element to what the schema reads: bold, italic, underline, strike and alignment, as elements or as one
 * plain style.
 */
function cleanElement(element: HTMLElement): void {
  const style = element.getAttribute('style') ?? '';
  const isSpan = element.tagName === 'SPAN';
  const isInLink = element.closest('a') !== null;
  const align = /text-align:\s*(center|right)/i.exec(style)?.[1] ?? element.getAttribute('align')?.toLowerCase();
  const isBoldAnyway = element.closest('h1, h2, h3, th') !== null;
  const wraps = isSpan
    ? [
        !isBoldAnyway && /font-weight:\s*(?:bold|[6-9]00)/i.test(style) && 'strong',
        /font-style:\s*italic/i.test(style) && 'em',
        // Programs underline their links by a style; the mail underlines links anyway.
        !isInLink && /text-decoration[\w-]*:[^;]*underline/i.test(style) && 'u',
        /text-decoration[\w-]*:[^;]*line-through/i.test(style) && 's',
      ].filter((name) => typeof name === 'string')
    : [];
  const isHeading = /^H[1-3]$/.test(element.tagName);
  const isAligned = isHeading || element.tagName === 'P' || element.tagName === 'DIV';
  for (const { name } of [...element.attributes]) if (!KEPT_ATTRIBUTES.has(name)) element.removeAttribute(name);
  if (isAligned && (align === 'center' || align === 'right')) element.setAttribute('style', `text-align: ${align}`);
  if (element.tagName === 'A') cleanLink(element);
  if (element.tagName === 'U' && isInLink) return unwrap(element);
  if (/^(?:B|STRONG)$/.test(element.tagName) && isBoldAnyway) return unwrap(element);
  if (!isSpan) return;
  const [outer, ...others] = wraps;
  if (!outer) return unwrap(element);
  let inner = rename(element, outer);
  for (const name of others) {
    const next = element.ownerDocument.createElement(name);
    next.append(...inner.childNodes);
    inner.append(next);
    inner = next;
  }
}

function cleanLink(link: HTMLElement): void {
  const href = normalizeHref(link.getAttribute('href') ?? '');
  if (href === null) unwrap(link);
  else link.setAttribute('href', href);
}

/** Moves lists below the deepest level that a mail shows well up to that level. */
function flattenLists(body: HTMLElement): void {
  const depthOf = (list: Element) => {
    let depth = 0;
    for (let at: Element | null = list; at && at !== body; at = at.parentElement)
      if (/^[UO]L$/.test(at.tagName)) depth += 1;
    return depth;
  };
  const inTable = (list: Element) => list.closest('td, th') !== null;
  for (const list of [...body.querySelectorAll('ul, ol')].reverse()) {
    if (depthOf(list) <= (inTable(list) ? 2 : MAX_LIST_DEPTH)) continue;
    const item = list.closest('li');
    if (item && item !== list) item.after(...list.children);
    else list.before(...list.children);
    list.remove();
  }
}

const isEmpty = (element: Element) => element.textContent.trim() === '' && element.querySelector('hr, table') === null;

/** Removes lines that only made space, because the mail has its own spacing. Cells without text stay. */
function dropEmpty(body: HTMLElement): void {
  for (const element of [...body.querySelectorAll('strong, b, em, i, u, s, a, span')])
    if (element.textContent === '' && !element.querySelector('br')) element.remove();
  for (const element of [...body.querySelectorAll('li, p, div, h1, h2, h3, ul, ol, blockquote')].reverse())
    if (isEmpty(element)) element.remove();
  // The program that the text was copied from adds breaks at the end of a block and next to blocks. They are not part
  // of the text.
  for (const line of [...body.querySelectorAll('br')]) {
    const before = visibleSibling(line, 'previousSibling');
    if (!hasContentAfter(line) || isBlock(before) || isBlock(visibleSibling(line, 'nextSibling'))) line.remove();
    else if (before instanceof Text) before.data = before.data.trimEnd();
  }
  splitAtDoubleBreaks(body);
}

const isBlock = (node: Node | null) => node instanceof Element && node.matches(BLOCK_ELEMENTS);

function visibleSibling(node: Node, side: 'previousSibling' | 'nextSibling'): Node | null {
  let at = node[side];
  while (at instanceof Text && at.data.trim() === '') at = at[side];
  return at;
}

const hasContentAfter = (line: Element): boolean => {
  for (let at = line.nextSibling; at; at = at.nextSibling)
    if ((at.textContent ?? '').trim() !== '' || (at instanceof Element && at.tagName !== 'BR')) return true;
  const parent = line.parentElement;
  return parent !== null && !parent.matches(`${BLOCK_ELEMENTS}, li, td, th, body`) && hasContentAfter(parent);
};

/** Two breaks in a row separate paragraphs. */
function splitAtDoubleBreaks(body: HTMLElement): void {
  for (const line of [...body.querySelectorAll('br + br')]) {
    const first = line.previousSibling;
    if (!(first instanceof Element) || first.tagName !== 'BR') {
      if ((first?.textContent ?? '').trim() !== '') continue;
    }
    const block = line.parentElement;
    if (!block) continue;
    const before = line.ownerDocument.createElement('p');
    const earlier = [...block.childNodes].slice(0, [...block.childNodes].indexOf(line));
    while (earlier.length > 0 && (earlier.at(-1) as ChildNode).textContent?.trim() === '') earlier.pop()?.remove();
    line.remove();
    if (
      !block.matches('p, div') ||
      block === body ||
      earlier.some((one) => one instanceof Element && one.matches(BLOCK_ELEMENTS))
    ) {
      const start = earlier.findLastIndex((one) => one instanceof Element && one.matches(BLOCK_ELEMENTS)) + 1;
      before.append(...earlier.slice(start));
      if (before.textContent.trim() !== '') block.insertBefore(before, block.childNodes[start] ?? null);
    } else {
      const style = block.getAttribute('style');
      if (style) before.setAttribute('style', style);
      before.append(...earlier);
      if (before.textContent.trim() !== '') block.before(before);
    }
  }
}
