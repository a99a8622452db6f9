import { SetMetadata } from '@nestjs/common';

export const BODY_RULE = 'http:body';
export const KB = 1024;

/**
 * How a route's body is read. Without one: JSON of at most 32 KB where the handler takes a `@Body()`, else no body at all.
 * - json: a JSON body of at most so many bytes
 * - raw: the bytes as they came, at most so many, as `req.body`
 * - stream: the handler reads the request itself, under a limit of its own
 * - ignored: nobody looks at it
 */
export type BodyRule = { kind: 'json'; maxBytes: number } | { kind: 'raw'; maxBytes: number } | { kind: 'stream'; accepts: string } | { kind: 'ignored' };

/** A JSON body of another size than the usual 32 KB. Public routes take at most 64 KB. */
export const JsonBody = (maxBytes: number) => SetMetadata<string, BodyRule>(BODY_RULE, { kind: 'json', maxBytes });

/** The bytes as they came, as a Buffer in `req.body`: for signatures over them. */
export const RawBody = (maxBytes: number) => SetMetadata<string, BodyRule>(BODY_RULE, { kind: 'raw', maxBytes });

/** The handler reads the request itself. @param accepts the formats, in words, for whoever sends another one: `JSON or CSV` */
export const StreamedBody = (accepts: string) => SetMetadata<string, BodyRule>(BODY_RULE, { kind: 'stream', accepts });

/** The body, whatever its type, is never read. */
export const IgnoredBody = () => SetMetadata<string, BodyRule>(BODY_RULE, { kind: 'ignored' });
