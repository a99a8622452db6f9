import { SetMetadata } from '@nestjs/common';

export { KB } from '../../text/bytes.js';

export const BODY_RULE = 'http:body';

/**
 * How a route's body is read. Default: JSON of at most 32 KB if the handler has a `@Body()` parameter, else no body.
 * - json: JSON of at most `maxBytes`
 * - raw: unparsed bytes in `req.body`, at most `maxBytes`
 * - stream: the handler reads the request itself and enforces its own limit
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
 * JSON body with a rich document in one field. The document has thousands of nodes and is checked by its own schema.
 * @param document name or path of the field, such as `send.document`
 */
export const DocumentBody = (maxBytes: number, document: string) =>
  SetMetadata<string, BodyRule>(BODY_RULE, { kind: 'json', maxBytes, document });

/** Unparsed body as a Buffer in `req.body`, for signature checks. */
export const RawBody = (maxBytes: number) => SetMetadata<string, BodyRule>(BODY_RULE, { kind: 'raw', maxBytes });

/**
 * The handler reads the request stream itself.
 * @param accepts accepted formats, for the error text, such as `JSON or CSV`
 */
export const StreamedBody = (accepts: string) => SetMetadata<string, BodyRule>(BODY_RULE, { kind: 'stream', accepts });

/** The body is never read, whatever its content type. */
export const IgnoredBody = () => SetMetadata<string, BodyRule>(BODY_RULE, { kind: 'ignored' });
