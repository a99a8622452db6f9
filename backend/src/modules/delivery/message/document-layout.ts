import { DARK_RULES, font, SHEET, TEXT } from '../../../shared/mail/message-style.js';
import { escapeHtml } from '../../../shared/text/html.js';
import { PRODUCT_NAME } from '../../../shared/enums.js';
import { type Footer, hiddenLine, introductionOf, reasonOf, senderOf, STYLE } from './message-layout.js';

const TABLE = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';
/**
 * Limits the width to 600 pixels in classic Outlook, which ignores max-width. Other mail programs ignore these
 * conditional comments.
 */
const OUTLOOK_COLUMN = [
  '<!--[if mso]><table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->',
  '<!--[if mso]></td></tr></table><![endif]-->',
] as const;
const BACK = '#f4f5f7';

/**
 * The HTML part of a message that was written as a document: one column made of tables. All styles except those for
 * dark mode are inline.
 * @param documentHtml HTML of the document
 * @param preheader null: the send has none
 */
export function documentPart(subject: string, documentHtml: string, footer: Footer, preheader: string | null): string {
  const url = escapeHtml(footer.unsubscribeUrl);
  const introduction = footer.introductionDue
    ? `<tr><td class="foot" style="padding:24px 20px 0;${font(13, 20)};color:#5b6470">${escapeHtml(introductionOf(footer))} <a href="${url}" style="color:#0b57d0">Leave at once</a></td></tr>\n`
    : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${STYLE}
@media (prefers-color-scheme:dark){.back{background-color:#14171a!important}.card{background-color:${SHEET.dark}!important}${DARK_RULES}}</style></head>
<body style="margin:0;padding:0;background-color:${BACK}">${hiddenLine(preheader)}<table ${TABLE} class="back" bgcolor="${BACK}" style="background-color:${BACK}"><tr><td align="center" style="padding:16px 8px">
${OUTLOOK_COLUMN[0]}
<table ${TABLE} class="card" bgcolor="${SHEET.light}" style="max-width:600px;table-layout:fixed;background-color:${SHEET.light};color:${TEXT.light};border-radius:8px">
${introduction}<tr><td style="padding:24px 20px;${font(15, 23)}">
${documentHtml}
</td></tr>
<tr><td style="padding:0 20px 24px"><table ${TABLE}><tr><td class="foot rule" style="padding:16px 0 0;border-top:1px solid #c9ced6;${font(12, 18)};color:#5b6470">${escapeHtml(senderOf(footer))}<br>
${escapeHtml(reasonOf(footer))}<br>
Sent with ${PRODUCT_NAME}, ${escapeHtml(footer.postalAddress)}<br>
<a href="${url}" style="color:#0b57d0">Unsubscribe</a></td></tr></table></td></tr>
</table>
${OUTLOOK_COLUMN[1]}
</td></tr></table></body></html>
`;
}
