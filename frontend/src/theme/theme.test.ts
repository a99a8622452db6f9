import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { dark, light, toPalette } from './palette';

type Rgb = [number, number, number];

function parse(color: string): [Rgb, number] {
  const hex = /^#(..)(..)(..)$/.exec(color);
  if (hex) return [[1, 2, 3].map((i) => Number.parseInt(hex[i] ?? '', 16)) as Rgb, 1];
  const [r = 0, g = 0, b = 0, a = 1] = (/\(([^()]+)\)/.exec(color)?.[1] ?? '').split(',').map(Number);
  return [[r, g, b], a];
}

/** A translucent colour as it looks on top of another colour. */
function over(color: string, ground: Rgb): Rgb {
  const [rgb, alpha] = parse(color);
  return rgb.map((c, i) => c * alpha + (ground[i] ?? 0) * (1 - alpha)) as Rgb;
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe.each([
  ['dark', dark],
  ['light', light],
])('the %s scheme', (_name, scheme) => {
  const { surface, controlBorder, text, tone, accent, accentSoft } = scheme;
  const grounds = Object.entries({
    base: surface.base,
    panel: surface.panel,
    raised: surface.raised,
    sidebar: surface.sidebar,
  });

  it.each(grounds)('has contrast on %s: 4.5 to 1 for text, 3 to 1 for edges', (_ground, color) => {
    const [ground] = parse(color);
    const inks = {
      primary: text.primary,
      secondary: text.secondary,
      accent: accent.main,
      ...Object.fromEntries(Object.entries(tone).map(([name, { main }]) => [name, main])),
    };
    for (const [name, ink] of Object.entries(inks))
      expect([name, contrast(parse(ink)[0], ground) >= 4.5]).toEqual([name, true]);
    expect(contrast(parse(controlBorder)[0], ground)).toBeGreaterThanOrEqual(3);
  });

  it.each(grounds.slice(0, 3))('has contrast in badges and on buttons upon %s', (_ground, color) => {
    const [ground] = parse(color);
    for (const [name, { main, soft }] of Object.entries(tone))
      expect([name, contrast(parse(main)[0], over(soft, ground)) >= 4.5]).toEqual([name, true]);
    expect(contrast(parse(accent.main)[0], over(accentSoft, ground))).toBeGreaterThanOrEqual(4.5);
  });

  it('has contrast on filled buttons, also under the pointer', () => {
    const { primary, error } = toPalette(scheme);
    for (const { main, dark: pressed, contrastText } of [primary, error]) {
      for (const fill of [main, pressed])
        expect([fill, contrast(parse(contrastText)[0], parse(fill)[0]) >= 4.5]).toEqual([fill, true]);
    }
  });

  it('has the background colour that the page shows before its style sheet', () => {
    expect(readFileSync('index.html', 'utf8')).toContain(surface.base);
  });
});
