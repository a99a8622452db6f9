const LIST_STYLE = /mso-list:\s*l\d+\s+level\d+/i;
const MARKER_STYLE = /mso-list:\s*ignore/i;
const MARKERS = '[style*="mso-list" i]';

const styleOf = (element: Element) => element.getAttribute('style') ?? '';
const isListParagraph = (element: Element) => LIST_STYLE.test(styleOf(element));

/**
 * Numbers such as `1)`, `(a)` and `1.`. They are all converted to the form with a point, the only one that the
 * converter accepts.
 */
const NUMBER = /^\(?(\d{1,3}|[a-z]{1,4})[.)]{1,2}$/i;
const LEVEL = /level(\d+)/i;
const ROMAN = /^[ivxlcdm]+$/i;

/**
 * Converts the lists of Word and Outlook to the single form that the converter of office lists reads: paragraphs whose
 * marker is in a span between conditional comments. Outlook on the web and Word for Mac omit the comments; headings and
 * list elements have the style too.
 * @param root changed in place
 */
export function prepareOfficeLists(root: HTMLElement): void {
  let run = 0;
  for (const element of [...root.querySelectorAll<HTMLElement>(MARKERS)].filter(isListParagraph)) {
    const previous = element.previousElementSibling;
    if (!previous || !isListParagraph(previous)) run += 1;
    const paragraph = asParagraph(element);
    if (!paragraph) continue;
    wrapMarker(paragraph);
    // A list that continues after other text gets another name; otherwise the converter would move its items before
    // that text.
    paragraph.setAttribute('style', styleOf(paragraph).replace(/mso-list:\s*l(\d+)/i, `mso-list:l${run}00$1`));
  }
}

/**
 * Turns a list paragraph into a P for the converter: a P stays as it is, and a DIV without blocks is replaced by a P.
 * Any other element loses its list style, so that the converter ignores it. A list item or a heading also loses the
 * text of its marker.
 * @returns null if the converter must ignore the element
 */
function asParagraph(element: HTMLElement): HTMLElement | null {
  const name = element.tagName;
  if (name === 'P') return element;
  const marker = markerOf(element);
  if (name === 'DIV' && !element.querySelector('p, div, table, ul, ol')) {
    const paragraph = element.ownerDocument.createElement('p');
    paragraph.setAttribute('style', styleOf(element));
    paragraph.append(...element.childNodes);
    element.replaceWith(paragraph);
    return paragraph;
  }
  if (name === 'LI' || /^H[1-6]$/.test(name)) marker?.remove();
  element.removeAttribute('style');
  return null;
}

const markerOf = (element: HTMLElement) =>
  [...element.querySelectorAll<HTMLElement>(MARKERS)].find((span) => MARKER_STYLE.test(styleOf(span)));

function wrapMarker(paragraph: HTMLElement): void {
  const { ownerDocument } = paragraph;
  const marker = markerOf(paragraph);
  dropConditions(paragraph);
  const level = Number(LEVEL.exec(styleOf(paragraph))?.[1] ?? 1);
  const text = marker?.textContent.replace(/[\s\u00a0]+/g, '') ?? '';
  marker?.remove();
  const span = ownerDocument.createElement('span');
  span.textContent = numberOf(text, level);
  paragraph.prepend(ownerDocument.createComment('[if !supportLists]'), span, ownerDocument.createComment('[endif]'));
}

/**
 * The marker in the form '3.'. A single letter counts as a letter, except for an 'i' on the third level, which begins
 * Roman numbers.
 */
function numberOf(text: string, level: number): string {
  const value = NUMBER.exec(text)?.[1];
  if (!value || /^o$/i.test(text)) return '';
  if (/^\d+$/.test(value)) return `${value}.`;
  if (value.length === 1 && ROMAN.test(value) && !/^i$/i.test(value)) return `${letterNumber(value)}.`;
  return ROMAN.test(value) && (value.length > 1 || level > 2 || /^i$/i.test(value))
    ? `${value}.`
    : `${letterNumber(value)}.`;
}

const letterNumber = (letters: string) =>
  [...letters.toLowerCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0);

function dropConditions(element: HTMLElement): void {
  const comments = element.ownerDocument.createNodeIterator(element, NodeFilter.SHOW_COMMENT);
  const found: Comment[] = [];
  for (let node = comments.nextNode(); node; node = comments.nextNode()) found.push(node as Comment);
  for (const comment of found) comment.remove();
}
