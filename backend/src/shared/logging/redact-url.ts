const TOKEN_PATHS = /(\/(?:unsubscribe|never-ask|confirm|invite)\/)([^/?#]{6})[^/?#]*/g;
const TOKEN_QUERY = /([?&](?:token|ref)=)([^&#]{6})[^&#]*/g;

/** A URL as it may stand in a log: tokens cut to their first characters (guide/reliability-security.md S64). */
export function redactUrl(url: string): string {
  return url.replace(TOKEN_PATHS, '$1$2…').replace(TOKEN_QUERY, '$1$2…');
}
