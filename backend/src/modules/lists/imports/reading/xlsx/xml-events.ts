import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { EventLoopYielder } from '../../../../../shared/lifecycle/event-loop-yielder.js';
import { AppError } from '../../../../../shared/errors/app-error.js';
import type { ReadingLimits } from '../record-source.js';
import { fileTooLarge, fileType } from '../refusals.js';

export type XmlAttributes = Readonly<Record<string, string>>;

/** Handlers, called in document order. Names come without their namespace prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: XmlAttributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Maximum length of a text, tag or comment, in characters; Excel writes at most 32,767 into a cell. */
const MAX_TOKEN_LENGTH = 16 * 1024 * 1024;

/**
 * Parses XML piece by piece and yields after each piece. Document type declarations are refused, so no entity is ever
 * declared, expanded or fetched.
 * @throws AppError for XML that is not well-formed
 */
export async function* parseXml(
  pieces: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
  limits: ReadingLimits,
): AsyncGenerator<void, void, void> {
  const parser = new SaxesParser({ position: false, xmlns: false });
  let sinceEvent = 0;
  parser.on('doctype', () => {
    throw fileType('damaged');
  });
  parser.on('opentag', (tag) => {
    sinceEvent = 0;
    handlers.open?.(localName(tag.name), tag.attributes);
  });
  parser.on('closetag', (tag) => {
    sinceEvent = 0;
    handlers.close?.(localName(tag.name));
  });
  if (handlers.text) {
    parser.on('text', handlers.text);
    parser.on('cdata', handlers.text);
  }
  let decoder: TextDecoder | undefined;
  const yielder = new EventLoopYielder();
  const write = (text: string | null) => {
    try {
      if (text === null) parser.close();
      else parser.write(text);
    } catch (error) {
      // An AppError comes from a handler that refuses the file, any other error from the parser, which throws because
      // it has no error handler.
      throw error instanceof AppError ? error : fileType('damaged');
    }
  };
  for await (const bytes of pieces) {
    decoder ??= decoderFor(bytes);
    sinceEvent += bytes.length;
    write(decoder.decode(bytes, { stream: true }));
    if (sinceEvent > MAX_TOKEN_LENGTH) throw fileTooLarge('unpacked', limits);
    yield;
    if (yielder.isDue()) await yielder.yieldNow();
  }
  if (decoder) write(null);
}

/** Parses a whole part. */
export async function readXml(
  pieces: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
  limits: ReadingLimits,
): Promise<void> {
  for await (const _piece of parseXml(pieces, handlers, limits));
}

/** Value of an attribute, by its name without namespace prefix. */
export function attributeOf(attributes: XmlAttributes, name: string): string | undefined {
  if (name in attributes) return attributes[name];
  const key = Object.keys(attributes).find((one) => one.endsWith(`:${name}`));
  return key === undefined ? undefined : attributes[key];
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

function decoderFor([first, second]: Uint8Array): TextDecoder {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  return new TextDecoder(first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8');
}
