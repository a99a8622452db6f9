import Handlebars from 'handlebars';
import { PRODUCT_NAME } from '../../enums.js';

export interface MailLink {
  label: string;
  url: string;
}

/**
 * Content of a system mail. The action link stands on a line of its own and before any other link, so that people and
 * tests find it.
 */
export interface SystemMailContent {
  subject: string;
  heading: string;
  paragraphs: string[];
  action: MailLink;
  /** Paragraphs after the action link. */
  after?: string[];
  secondary?: MailLink[];
  /** Sender and postal address, which commercial mail must show. */
  footer?: string[];
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

const HTML = Handlebars.compile(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{{subject}}</title>
<style>
  body { margin: 0; padding: 24px 12px; background: #f4f3ef; color: #1d2426; font: 16px/1.5 -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
  .sheet { max-width: 520px; margin: 0 auto; background: #ffffff; border-radius: 8px; padding: 28px 24px; }
  h1 { font-size: 21px; line-height: 1.3; margin: 0 0 16px; }
  p { margin: 0 0 14px; overflow-wrap: anywhere; }
  .button { display: inline-block; background: #0b6a6f; color: #ffffff; text-decoration: none; font-weight: 600; padding: 11px 20px; border-radius: 6px; }
  .quiet { color: #5c6668; font-size: 14px; }
  .quiet a { color: inherit; }
  @media (prefers-color-scheme: dark) {
    body { background: #14181a; color: #e8e6e1; }
    .sheet { background: #1d2224; }
    .quiet { color: #a3acae; }
  }
</style>
</head>
<body>
<div class="sheet" role="article" aria-label="{{subject}}">
<h1>{{heading}}</h1>
{{#each paragraphs}}<p>{{this}}</p>
{{/each}}<p><a class="button" href="{{action.url}}">{{action.label}}</a></p>
{{#each after}}<p>{{this}}</p>
{{/each}}<p class="quiet">If the button does not work, copy this address into your browser:<br><a href="{{action.url}}">{{action.url}}</a></p>
{{#each secondary}}<p class="quiet"><a href="{{url}}">{{label}}</a></p>
{{/each}}{{#each footer}}<p class="quiet">{{this}}</p>
{{/each}}<p class="quiet">{{product}}</p>
</div>
</body>
</html>
`);

/** Renders the text and HTML parts of a system mail. */
export function renderSystemMail(content: SystemMailContent): RenderedMail {
  const blocks = [
    content.heading,
    ...content.paragraphs,
    `${content.action.label}:\n${content.action.url}`,
    ...(content.after ?? []),
    ...(content.secondary ?? []).map((link) => `${link.label}:\n${link.url}`),
    ...(content.footer ?? []),
    `-- \n${PRODUCT_NAME}`,
  ];
  return {
    subject: content.subject,
    text: `${blocks.join('\n\n')}\n`,
    html: HTML({ ...content, product: PRODUCT_NAME }),
  };
}
