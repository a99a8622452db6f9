import { PRODUCT_NAME } from '../../shared/words/product.js';
import { cutAtLinks } from './web-links.js';

const MAX_INDENTATION = 200;

/** What stands under every message, outside the user's control (guide/email.md §3). */
export interface Footer {
  senderName: string;
  senderAgency: string | null;
  listName: string;
  postalAddress: string;
  unsubscribeUrl: string;
  /** The first message to an attested contact says who added the address (decisions.md D46). */
  introductionDue: boolean;
}

const STYLE = `body{margin:0;padding:0;background:#f4f5f7;color:#1b1f24}.card{background:#ffffff;color:#1b1f24}.foot{color:#5b6470}a{color:#0b57d0}
@media (prefers-color-scheme:dark){body{background:#14171a!important}.card{background:#1e2226!important;color:#e8eaed!important}.foot{color:#a3abb5!important}a{color:#8ab4f8!important}}`;

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}

/** Plain text as HTML: escaped, http and https addresses linked, line breaks and indentation kept. Takes time linear in its length. */
export function contentToHtml(content: string): string {
  const linked = cutAtLinks(content)
    .map(({ text, isLink }) => (isLink ? `<a href="${escapeHtml(text)}" rel="noopener noreferrer">${escapeText(text)}</a>` : escapeText(text)))
    .join('');
  return linked.replace(/^[ \t]+/gm, indentation).replaceAll('\n', '<br>\n');
}

/** Text between tags; quotes mean nothing there. */
const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** HTML collapses blanks. Each column costs six characters, so a line keeps no more of them than a page is wide. */
function indentation(blank: string): string {
  const columns = blank.replaceAll('\t', '    ').length;
  return '&nbsp;'.repeat(Math.min(columns, MAX_INDENTATION));
}

/** The text part: introduction where due, the content as written, the footer. */
export function textPart(content: string, footer: Footer): string {
  const introduction = footer.introductionDue ? `${introductionOf(footer)} To leave at once: ${footer.unsubscribeUrl}\n\n` : '';
  return `${introduction}${content}\n\n-- \n${senderOf(footer)}\n${reasonOf(footer)}\nSent with ${PRODUCT_NAME}, ${footer.postalAddress}\nUnsubscribe: ${footer.unsubscribeUrl}\n`;
}

/** The HTML part; contentHtml comes from contentToHtml. */
export function htmlPart(subject: string, contentHtml: string, footer: Footer): string {
  const url = escapeHtml(footer.unsubscribeUrl);
  const introduction = footer.introductionDue
    ? `<p class="foot" style="margin:0 0 16px;font-size:13px;line-height:20px">${escapeHtml(introductionOf(footer))} <a href="${url}">Leave at once</a></p>`
    : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${STYLE}</style></head>
<body><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:16px 8px">
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

const senderOf = ({ senderName, senderAgency }: Footer): string => `Sent by ${senderName}${senderAgency ? `, ${senderAgency}` : ''}`;
const reasonOf = ({ listName }: Footer): string => `You receive this email because your address is on the list "${listName}".`;
const introductionOf = ({ senderName, senderAgency, listName }: Footer): string =>
  `${senderName}${senderAgency ? ` of ${senderAgency}` : ''} added your address to the list "${listName}" and stated that you agreed to receive such emails.`;
