import Box from '@mui/material/Box';
import { useEffect, useRef } from 'react';
import type { LeftOut } from './api';
import type { Place } from './guesses';

interface SourceTextProps {
  text: string;
  /** The ranges of `text` from which the focused field was filled. */
  source: readonly Place[];
  /** Left-out parts; empty while they are not shown. */
  leftOut: LeftOut['texts'];
}

/** The pasted text. The ranges from which the focused field was filled are marked. */
export function SourceText({ text, source, leftOut }: SourceTextProps) {
  const pane = useRef<HTMLDivElement>(null);
  const from = (source[0] ?? leftOut[0])?.from;
  useEffect(() => {
    const mark = pane.current?.querySelector<HTMLElement>('[data-shown]');
    // Scrolls only this pane, never the form in which the user types.
    if (from !== undefined && mark && pane.current)
      pane.current.scrollTop = mark.offsetTop - pane.current.clientHeight / 3;
  }, [from]);
  return (
    <Box
      ref={pane}
      role="region"
      aria-label="Pasted text"
      tabIndex={0}
      sx={{
        position: 'relative',
        overflow: 'auto',
        height: '100%',
        p: 1.5,
        border: 1,
        borderColor: 'divider',
        borderRadius: 2,
        bgcolor: 'surface.base',
        fontSize: '0.875rem',
        lineHeight: 1.55,
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
        '& mark': { bgcolor: 'primary.main', color: 'primary.contrastText', borderRadius: 0.5 },
        '& s': { color: 'text.secondary' },
        '&:focus-visible': { outline: 2, outlineStyle: 'solid', outlineColor: 'primary.main', outlineOffset: -2 },
      }}
    >
      {piecesOf(text, source, leftOut).map(({ from: at, to, isSource, isLeftOut }) => {
        const part = text.slice(at, to);
        const isShown = at === from || undefined;
        if (isSource)
          return (
            <mark key={at} data-shown={isShown}>
              {part}
            </mark>
          );
        return isLeftOut ? (
          <s key={at} data-shown={isShown}>
            {part}
          </s>
        ) : (
          part
        );
      })}
    </Box>
  );
}

/** Splits a text at the start and the end of each range; ranges may overlap. */
export function piecesOf(text: string, source: readonly Place[], leftOut: readonly Place[]) {
  const changes = new Map<number, { source: number; leftOut: number }>();
  const note = (at: number, kind: 'source' | 'leftOut', by: number) => {
    const known = changes.get(at) ?? { source: 0, leftOut: 0 };
    known[kind] += by;
    changes.set(at, known);
  };
  for (const [kind, places] of [
    ['source', source],
    ['leftOut', leftOut],
  ] as const)
    for (const { from, to } of places) {
      note(from, kind, 1);
      note(to, kind, -1);
    }
  const cuts = [...new Set([0, ...changes.keys(), text.length])].sort((a, b) => a - b);
  const open = { source: 0, leftOut: 0 };
  return cuts.slice(0, -1).map((from, index) => {
    const change = changes.get(from);
    open.source += change?.source ?? 0;
    open.leftOut += change?.leftOut ?? 0;
    return { from, to: cuts[index + 1] ?? text.length, isSource: open.source > 0, isLeftOut: open.leftOut > 0 };
  });
}
