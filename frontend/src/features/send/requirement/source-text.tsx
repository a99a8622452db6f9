import Box from '@mui/material/Box';
import { useEffect, useRef } from 'react';
import type { LeftOut } from './api';

interface Range {
  from: number;
  to: number;
}

interface SourceTextProps {
  text: string;
  /** Where the detail in hand was read. */
  source: Range | null;
  /** What is left out, in the order of the text; null: not shown. */
  leftOut: LeftOut['texts'] | null;
}

/** The pasted text, with the source of the detail in hand marked. */
export function SourceText({ text, source, leftOut }: SourceTextProps) {
  const pane = useRef<HTMLDivElement>(null);
  const shown = source ?? leftOut?.[0] ?? null;
  const from = shown?.from;
  useEffect(() => {
    const mark = pane.current?.querySelector<HTMLElement>('[data-shown]');
    // Scrolls this pane only, never the form that somebody types in.
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
      {piecesOf(text, source, leftOut ?? []).map(({ from: at, to, isSource, isLeftOut }) => {
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

/** Cuts a text where a range begins or ends. */
export function piecesOf(text: string, source: Range | null, leftOut: readonly Range[]) {
  const ranges = source ? [...leftOut, source] : leftOut;
  const cuts = new Set([0, text.length]);
  for (const { from, to } of ranges) cuts.add(from).add(to);
  const places = [...cuts].sort((a, b) => a - b);
  let next = 0;
  return places.slice(0, -1).map((from, index) => {
    const to = places[index + 1] ?? text.length;
    while ((leftOut[next]?.to ?? Infinity) <= from) next += 1;
    return {
      from,
      to,
      isSource: source !== null && source.from <= from && to <= source.to,
      isLeftOut: (leftOut[next]?.from ?? Infinity) <= from,
    };
  });
}
