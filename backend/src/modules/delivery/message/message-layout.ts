import { PRODUCT_NAME } from '../../../shared/enums.js';
import { randomBytes } from 'node:crypto';
import { fillPieces, isTag, joinTexts, type Piece } from '../../../shared/merge-tags/pieces.js';
import { escapeHtml, escapeText } from '../../../shared/text/html.js';
import { cutAtLinks } from '../../../shared/text/web-links.js';

const MAX_INDENTATION = 200;

/** Data of the footer. Every message has a footer, and users cannot change it; see decisions.md: message-format. */
export interface Footer {
  senderName: string;
  senderAgency: string | null;
  /** Business address of the sender on one line. */
  senderAddress: string | null;
  listName: string;
  postalAddress: string;
  unsubscribeUrl: string;
  /**
   * Whether this is the first message to an attested contact. Such a message says who added the address; see
   * decisions.md: attested-contacts.
   */
  introductionDue: boolean;
}

export const STYLE = `body{margin:0;padding:0;background:#f4f5f7;color:#1b1f24}.card{background:#ffffff;color:#1b1f24}.foot{color:#5b6470}a{color:#0b57d0}
@media (prefers-color-scheme:dark){body{background:#14171a!important}.card{background:#1e2226!important;color:#e8eaed!important}.foot{color:#a3abb5!important}a{color:#8ab4f8!important}}`;

/**
 * Converts plain text to HTML: escapes it, turns http and https URLs into links, and keeps line breaks and indentation.
 * Takes linear time.
 */
export function contentToHtml(content: string): string {
  const linked = cutAtLinks(content)
    .map(({ text, isLink }) =>
      isLink ? `<a href="${escapeHtml(text)}" rel="noopener noreferrer">${escapeText(text)}</a>` : escapeText(text),
    )
    .join('');
  return linked.replace(/^[ \t]+/gm, indentation).replaceAll('\n', '<br>\n');
}

/**
 * Converts plain text with merge tags to HTML. The values are inserted later, so that they are not turned into links or
 * indentation.
 */
export function derivedHtml(text: readonly Piece[]): Piece[] {
  const tags = text.filter(isTag);
  const mark = randomBytes(16).toString('hex');
  let count = 0;
  // The marks are numbered, because a tag within a URL occurs twice: in the link's target and in the link text.
  const html = contentToHtml(fillPieces(text, () => `${mark}x${count++}x`));
  const parts = html.split(new RegExp(`${mark}x(\\d+)x`));
  return joinTexts(parts.map((part, i) => (i % 2 === 0 ? part : tags[Number(part)]!)));
}

/**
 * Keeps leading blanks, which HTML would collapse. Limits them to the width of a page, because each blank becomes six
 * characters.
 */
function indentation(blank: string): string {
  const columns = blank.replaceAll('\t', '    ').length;
  return '&nbsp;'.repeat(Math.min(columns, MAX_INDENTATION));
}

/** The text part: the introduction if it is due, the content, and the footer. */
export function textPart(content: string, footer: Footer): string {
  const introduction = footer.introductionDue
    ? `${introductionOf(footer)} To leave at once: ${footer.unsubscribeUrl}\n\n`
    : '';
  return `${introduction}${content}\n\n-- \n${senderOf(footer)}\n${reasonOf(footer)}\nSent with ${PRODUCT_NAME}, ${footer.postalAddress}\nUnsubscribe: ${footer.unsubscribeUrl}\n`;
}

/**
 * The HTML part of a message with plain content.
 * @param contentHtml result of `contentToHtml` or `derivedHtml`
 * @param preheader plain text; null: the send has none
 */
export function htmlPart(
  subject: string,
  contentHtml: string,
  footer: Footer,
  preheader: string | null = null,
): string {
  const url = escapeHtml(footer.unsubscribeUrl);
  const introduction = footer.introductionDue
    ? `<p class="foot" style="margin:0 0 16px;font-size:13px;line-height:20px">${escapeHtml(introductionOf(footer))} <a href="${url}">Leave at once</a></p>`
    : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${STYLE}</style></head>
<body>${hiddenLine(preheader)}<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:16px 8px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;table-layout:fixed;border-radius:8px">
<tr><td style="padding:24px 20px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:15px;line-height:23px;overflow-wrap:anywhere;word-break:break-word">
${introduction}<div>${contentHtml}</div>
<hr style="border:0;border-top:1px solid #c9ced6;margin:24px 0 16px">
<div class="foot" style="font-size:12px;line-height:18px">${escapeHtml(senderOf(footer))}<br>
${escapeHtml(reasonOf(footer))}<br>
Sent with ${PRODUCT_NAME}, ${escapeHtml(footer.postalAddress)}<br>
<a href="${url}">Unsubscribe</a></div>
</td></tr></table></td></tr></table></body></html>
`;
}

/**
 * The preheader as an invisible element, which inboxes show after the subject. An empty preheader gets an element too,
 * because the prepared message of a send needs the same structure for all recipients.
 * @param preheader null: the send has none
 */
export const hiddenLine = (preheader: string | null): string =>
  preheader === null
    ? ''
    : `<div style="display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all">${escapeHtml(preheader)}</div>\n`;

export const senderOf = ({ senderName, senderAgency, senderAddress }: Footer): string =>
  `Sent by ${[senderName, senderAgency, senderAddress].filter(Boolean).join(', ')}`;
export const reasonOf = ({ listName }: Footer): string =>
  `You receive this email because your address is on the list "${listName}".`;
export const introductionOf = ({ senderName, senderAgency, listName }: Footer): string =>
  `${senderName}${senderAgency ? ` of ${senderAgency}` : ''} added your address to the list "${listName}" and stated that you agreed to receive such emails.`;
