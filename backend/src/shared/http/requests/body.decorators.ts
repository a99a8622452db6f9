import { SetMetadata } from '@nestjs/common';

export { KB } from '../../text/bytes.js';

export const BODY_RULE = 'http:body';

/**
 * How a route's body is read. Default: JSON of at most 32 KB where the handler takes a `@Body()`, else no body.
 * - json: JSON of at most `maxBytes`
 * - raw: unparsed bytes, at most `maxBytes`, as `req.body`
 * - stream: the handler reads the request itself, with a limit of its own
 * - ignored: the body is not read
 */
export type BodyRule =
  | { kind: 'json'; maxBytes: number; document?: string }
  | { kind: 'raw'; maxBytes: number }
  | { kind: 'stream'; accepts: string }
  | { kind: 'ignored' };

/** JSON body with a limit other than 32 KB. Public routes accept at most 64 KB. */
export const JsonBody = (maxBytes: number) => SetMetadata<string, BodyRule>(BODY_RULE, { kind: 'json', maxBytes });

/**
 * JSON body one field of which holds a rich document: thousands of nodes, which its own schema checks.
 * @param document name of that field, or its path, such as `send.document`
 */
export const DocumentBody = (maxBytes: number, document: string) =>
  SetMetadata<string, BodyRule>(BODY_RULE, { kind: 'json', maxBytes, document });

/** Unparsed body as a Buffer in `req.body`, for signature checks. */
export const RawBody = (maxBytes: number) => SetMetadata<string, BodyRule>(BODY_RULE, { kind: 'raw', maxBytes });

/**
 * The handler reads the request stream itself.
 * @param accepts accepted formats for the error text, such as `JSON or CSV`
 */
export const StreamedBody = (accepts: string) => SetMetadata<string, BodyRule>(BODY_RULE, { kind: 'stream', accepts });

/** The body is never read, whatever its type. */
export const IgnoredBody = () => SetMetadata<string, BodyRule>(BODY_RULE, { kind: 'ignored' });
