/** What we use of mailparser, which brings no types. */
declare module 'mailparser' {
  export interface ParsedPart {
    contentType?: string;
    content: Buffer;
  }
  export interface ParsedMail {
    from?: { text: string };
    subject?: string;
    messageId?: string;
    text?: string;
    html?: string | false;
    headers: Map<string, unknown>;
    headerLines: { key: string; line: string }[];
    attachments: ParsedPart[];
  }
  export interface ParserOptions {
    skipHtmlToText?: boolean;
    skipTextToHtml?: boolean;
    skipTextLinks?: boolean;
    skipImageLinks?: boolean;
    keepDeliveryStatus?: boolean;
    maxHeadSize?: number;
    maxChildNodes?: number;
  }
  export function simpleParser(source: Buffer, options?: ParserOptions): Promise<ParsedMail>;
}
