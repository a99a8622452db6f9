import { isTag, type Piece } from '../../../shared/merge-tags/pieces.js';
import { tagInLink } from './merge-tag.errors.js';

/** Characters that mark the start and the end of a tag during the search for URLs. Values never contain them. */
const START = '\ue000';
const END = '\ue001';
const MARKS = /[\ue000\ue001]/g;

/** Characters that end any URL that mail programs detect. */
const BETWEEN_RUNS = /[\s<>]+/;
const SCHEME_END = /:[\ue000\ue001]*\/[\ue000\ue001]*\//;
const WWW = /w[\ue000\ue001]*w[\ue000\ue001]*w[\d\ue000\ue001]*\./i;
/** A dot inside a host name. A tag counts as a letter. */
const HOST_DOT = /[\p{L}\p{N}\ue000\ue001]\.[\p{L}\ue000\ue001]/u;
const PATH_START = /[/\\?#]/;

/**
 * Refuses a tag in a URL: the link would send details of contacts to the linked site, including details of network
 * members, whose email addresses the sender must not see. Also covers URLs without a scheme, which mail programs turn
 * into links, and URLs that become complete only with a tag's fallback.
 * @throws 400 `tag_in_link`
 */
export function refuseTagInLink(text: readonly Piece[]): void {
  const tags = text.filter(isTag);
  if (tags.length === 0) return;
  const refuseIn = (marked: string, isLeak: (run: string) => boolean): void => {
    let seen = 0;
    for (const run of marked.split(BETWEEN_RUNS)) {
      const starts = run.split(START).length - 1;
      if (isLeak(run)) throw tagInLink(tags[Math.min(seen, tags.length - 1)]!);
      seen += starts;
    }
  };
  const mark = (fallbackOf: (fallback: string | null) => string): string =>
    text.map((piece) => (isTag(piece) ? START + fallbackOf(piece.fallback) + END : piece.replace(MARKS, 'x'))).join('');
  refuseIn(
    mark(() => ''),
    holdsMarkInAddress,
  );
  // Recipients see either a tag's value or its fallback, so a fallback can only complete a URL that contains another
  // tag.
  refuseIn(
    mark((fallback) => fallback ?? ''),
    (run) => tagsIn(run) > 1 && holdsMarkInAddress(run),
  );
}

/** Number of tags in a run without white space. If a run begins inside a tag, the tag's end mark comes first in it. */
function tagsIn(run: string): number {
  const first = run.match(MARKS)?.[0];
  return run.split(START).length - 1 + (first === END ? 1 : 0);
}

function holdsMarkInAddress(run: string): boolean {
  const scheme = SCHEME_END.exec(run);
  if (scheme && holdsMark(run.slice(scheme.index))) return true;
  const beforeScheme = scheme ? run.slice(0, scheme.index) : run;
  return holdsMark(beforeScheme) && isAddress(beforeScheme);
}

function isAddress(run: string): boolean {
  const dot = run.search(HOST_DOT);
  return WWW.test(run) || (dot >= 0 && PATH_START.test(run.slice(dot)));
}

const holdsMark = (text: string): boolean => text.search(MARKS) >= 0;
