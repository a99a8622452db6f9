import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cell, doc, documents, link, list, mergeTag, paragraph, table, text } from '../kit/samples/documents.js';
import { asTyped, fillPieces, isTag } from '../../src/shared/merge-tags/pieces.js';
import { escapeHtml } from '../../src/shared/text/html.js';
import { CELL_TINTS, SHEET, TEXT, TEXT_COLORS, TEXT_SHADES, TINT_SHADES } from '../../src/shared/mail/message-style.js';
import type { DocumentJson } from '../../src/modules/composing/document/document.js';
import { readDocument } from '../../src/modules/composing/document/read-document.js';
import { isBlank, renderDocument } from '../../src/modules/composing/document/render-document.js';

const pictures = { of: (id: string) => ({ url: `https://staffcast.test/media/${id}.png`, width: 1200, height: 600 }) };
const rendered = (json: DocumentJson) => renderDocument(readDocument(json), pictures);
const htmlOf = (json: DocumentJson): string => fillPieces(rendered(json).html, (tag) => escapeHtml(asTyped(tag)));
const textOf = (json: DocumentJson): string => rendered(json).content;

/** Void elements of HTML. */
const VOID = new Set(['br', 'hr', 'img']);

/** Checks that all elements are closed in order. @returns their names */
function elementsOf(html: string): string[] {
  const open: string[] = [];
  const names: string[] = [];
  for (const [, slash, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*)?>/g)) {
    if (slash) expect(open.pop()).toBe(name);
    else {
      names.push(name!);
      if (!VOID.has(name!)) open.push(name!);
    }
  }
  expect(open).toEqual([]);
  return names;
}

describe('the HTML of a document', () => {
  it('shows any text as text, in well-formed elements', () => {
    const known = new Set([
      ...['table', 'tr', 'td', 'th', 'thead', 'tbody', 'p', 'h1', 'h2', 'h3', 'ul', 'ol', 'li', 'br', 'hr', 'img', 'a'],
      ...['strong', 'em', 'u', 's', 'span'],
    ]);
    fc.assert(
      fc.property(documents, (json) => {
        const html = htmlOf(json);
        expect(elementsOf(html).filter((name) => !known.has(name))).toEqual([]);
        // After removing the renderer's own elements, no unescaped angle bracket may be left.
        expect(html.replace(/<\/?[a-z][^<>]*>/g, '')).not.toMatch(/[<>]/);
        expect(html).not.toContain('&apos;');
      }),
      { numRuns: 200 },
    );
  });

  it('contains the same text as the text part', () => {
    const squeezed = (value: string): string => value.replace(/[\s\u00a0]+/g, '');
    const paragraphs = documents.map(({ content }) => doc(...content.filter(({ type }) => type === 'paragraph')));
    fc.assert(
      fc.property(
        paragraphs.filter(({ content }) => content.length > 0),
        (json) => {
          const html = htmlOf(json)
            .replace(/<[^<>]*>/g, '')
            .replaceAll('&lt;', '<')
            .replaceAll('&gt;', '>')
            .replaceAll('&quot;', '"')
            .replaceAll('&#39;', "'")
            .replaceAll('&amp;', '&');
          const withoutAddresses = textOf(json).replaceAll(
            / \((https:\/\/a\.test\/x\?a=1&b="2"|ann@a\.test|\+15551234)\)/g,
            '',
          );
          expect(squeezed(html)).toBe(squeezed(withoutAddresses));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('does not merge a merge tag with the text around it', () => {
    const { html } = rendered(
      doc(paragraph('Hi ', { ...mergeTag('first_name', 'there'), marks: [{ type: 'bold' }] }, ',')),
    );
    expect(html.filter(isTag)).toEqual([{ tag: 'first_name', fallback: 'there' }]);
    expect(fillPieces(html, () => 'Ann')).toContain('>Hi <strong>Ann</strong>,</p>');
  });

  it('fills merge tags that were typed as text', () => {
    const { html, text: plain } = rendered(
      doc(paragraph(text('Hi {{ first_name|there }},  {{7*7}}', { type: 'bold' }), '{{company}}')),
    );
    for (const pieces of [html, plain])
      expect(pieces.filter(isTag)).toEqual([
        { tag: 'first_name', fallback: 'there' },
        { tag: 'company', fallback: null },
      ]);
    expect(fillPieces(html, () => 'Ann')).toContain('<strong>Hi Ann,\u00a0 {{7*7}}</strong>Ann</p>');
  });

  it('has header cells in data tables, and none in layout tables', () => {
    const html = htmlOf(doc(table(['Name', 'Rate'], ['Ann', '$60'])));
    expect(html.match(/<th scope="col"[^>]*>Name<\/th>/)).not.toBeNull();
    expect(html.match(/<table role="presentation"/g)).toHaveLength(1);
    expect(html.match(/<table /g)).toHaveLength(2);
    expect(html).toMatch(/<thead>\s*<tr>.*<\/thead><tbody>/s);
  });

  it('scales pictures to the column', () => {
    const image = (attrs: object) => ({
      type: 'image',
      attrs: { fileId: '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d', ...attrs },
    });
    expect(htmlOf(doc(image({ alt: 'Our "logo"' })))).toContain('alt="Our &quot;logo&quot;" width="560" height="280"');
    expect(htmlOf(doc(image({ width: 100, href: 'https://a.test/?a&b' })))).toMatch(
      /<a href="https:\/\/a\.test\/\?a&amp;b"[^>]*><img [^>]*width="100" height="50"/,
    );
  });

  it('has one element for a link with differently marked parts', () => {
    const html = htmlOf(
      doc(paragraph(text('see ', link('https://a.test')), text('this', { type: 'bold' }, link('https://a.test')))),
    );
    expect(html.match(/<a /g)).toHaveLength(1);
  });

  it('does not read a text more often in a long document than in a short one', () => {
    const readsOf = (rows: number): number => {
      let reads = 0;
      const counted = <T>(value: T): T =>
        typeof value !== 'object' || value === null
          ? value
          : new Proxy(value, {
              get(target, key) {
                if (key === 'text') reads += 1;
                return counted(Reflect.get(target, key, target) as unknown);
              },
            });
      const document = readDocument(doc(...Array.from({ length: rows }, () => paragraph('A sentence. '.repeat(8)))));
      renderDocument(counted(document), pictures);
      return reads;
    };
    const reads = readsOf(70);
    expect(reads).toBeGreaterThanOrEqual(70);
    expect(readsOf(280)).toBe(4 * reads);
  });

  it('is refused above 200 KB', () => {
    const json = doc(table(...Array.from({ length: 130 }, () => Array.from({ length: 12 }, () => 'x'))));
    expect(() => rendered(json)).toThrow(/too large for an email: \d+ KB, at most 200 KB/);
  });
});

describe('the text of a document', () => {
  it('reads like hand-written text', () => {
    const json = doc(
      { type: 'heading', attrs: { level: 2 }, content: [text('Senior Java, Hartford')] },
      paragraph('Hi ', mergeTag('first_name', 'there'), ','),
      paragraph(
        'see ',
        text('the job', link('https://a.test/jobs')),
        ' or ',
        text('https://a.test/', link('https://a.test')),
        { type: 'hardBreak' },
        text('Ann', link('mailto:ann@a.test')),
      ),
      list(
        'bulletList',
        [paragraph('Java'), list('orderedList', [paragraph('8')], [paragraph('17')])],
        [paragraph('Spring')],
      ),
      { type: 'blockquote', content: [paragraph('Great'), paragraph('people')] },
      { type: 'button', attrs: { label: 'Apply', href: 'https://a.test/apply' } },
      { type: 'paragraph' },
    );
    expect(textOf(json)).toBe(
      [
        'Senior Java, Hartford',
        '',
        'Hi {{first_name|there}},',
        '',
        'see the job (https://a.test/jobs) or https://a.test/',
        'Ann (ann@a.test)',
        '',
        '- Java',
        '  1. 8',
        '  2. 17',
        '- Spring',
        '',
        '> Great',
        '>',
        '> people',
        '',
        'Apply (https://a.test/apply)',
      ].join('\n'),
    );
  });

  it('separates a tag from the address before it', () => {
    const site = text('our site', link('https://a.test'));
    const shown = 'our site (https://a.test)';
    expect(textOf(doc(paragraph(site, mergeTag('first_name'))))).toBe(`${shown} {{first_name}}`);
    expect(textOf(doc(paragraph(site, '{{first_name}}{{company}}')))).toBe(`${shown} {{first_name}}{{company}}`);
    expect(textOf(doc(paragraph(site, ', {{first_name}}')))).toBe(`${shown}, {{first_name}}`);
    expect(textOf(doc(paragraph(site, { type: 'hardBreak' }, mergeTag('company'))))).toBe(`${shown}\n{{company}}`);
  });

  it('aligns the columns of a table that fits 100 characters', () => {
    expect(textOf(doc(table(['Name', 'Skill', 'Rate'], ['Ann Kumar', 'Java', '$60'], ['José 日本', 'Go', ''])))).toBe(
      ['Name       Skill  Rate', '---------  -----  ----', 'Ann Kumar  Java   $60', 'José 日本  Go'].join('\n'),
    );
  });

  it('writes "Header: value" lines for a wider table, and where a tag makes its width unknown', () => {
    const wide = 'x'.repeat(60);
    expect(textOf(doc(table(['Name', 'Skills'], ['Ann', wide], ['Raj', wide + wide])))).toBe(
      `Name: Ann\nSkills: ${wide}\n\nName: Raj\nSkills: ${wide}${wide}`,
    );
    expect(textOf(doc(table(['To', 'From'], [paragraph(mergeTag('first_name')), 'Ann'])))).toBe(
      'To: {{first_name}}\nFrom: Ann',
    );
  });

  it('shortens long headers, and refuses a cell that too many rows would repeat', () => {
    const header = 'h'.repeat(50_000);
    const rows = Array.from({ length: 300 }, () => ['x']);
    expect(textOf(doc(table([header], ...rows))).length).toBeLessThan(300 * 70);
    const spanned = {
      type: 'table',
      content: Array.from({ length: 300 }, (_, y) => ({
        type: 'tableRow',
        content: [...(y === 0 ? [cell('y'.repeat(50_000), { rowspan: 300 })] : []), cell('x')],
      })),
    };
    expect(() => rendered(doc(spanned))).toThrow(/too long for an email as plain text/);
  });

  it('repeats in each row a cell that spans rows', () => {
    const wide = 'y'.repeat(90);
    const json = doc({
      type: 'table',
      content: [
        { type: 'tableRow', content: [cell('Team', { rowspan: 2 }), cell(wide), cell('10 chars..')] },
        { type: 'tableRow', content: [cell(wide, { colspan: 2 })] },
      ],
    });
    expect(textOf(json)).toBe(`Team\n${wide}\n10 chars..\n\nTeam\n${wide}`);
  });
});

describe('the colours of a document', () => {
  const luminance = (hex: string): number => {
    const [r, g, b] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a: string, b: string): number => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
    return (high + 0.05) / (low + 0.05);
  };

  it.each(['light', 'dark'] as const)('are readable on the %s sheet and on every tint', (scheme) => {
    const sheets = [SHEET, ...CELL_TINTS.map((name) => TINT_SHADES[name])].map((shade) => shade[scheme]);
    const inks = [TEXT, ...TEXT_COLORS.map((name) => TEXT_SHADES[name])].map((shade) => shade[scheme]);
    const low = inks.flatMap((ink) =>
      sheets.filter((sheet) => contrast(ink, sheet) < 4.5).map((sheet) => `${ink} on ${sheet}`),
    );
    expect(low).toEqual([]);
  });
});

describe('a blank document', () => {
  it('has empty parts', () => {
    expect(isBlank(readDocument(doc(paragraph(), paragraph(' \u00a0'))))).toBe(true);
    expect(isBlank(readDocument(doc(paragraph(mergeTag('first_name')))))).toBe(false);
    expect(isBlank(readDocument(doc(paragraph(), paragraph('x'))))).toBe(false);
  });
});
