declare module 'mailparser' {
  export interface ParsedMail {
    from?: { text: string };
    subject?: string;
    text?: string;
    html?: string | false;
    headers: Map<string, unknown>;
  }
  export function simpleParser(source: Buffer, options?: { skipTextToHtml?: boolean; skipImageLinks?: boolean }): Promise<ParsedMail>;
}
