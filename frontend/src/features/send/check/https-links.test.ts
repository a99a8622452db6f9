import { describe, expect, it } from '@jest/globals';
import type { RichDocument } from '../../../ui/editor/document';
import { withHttps } from './https-links';

describe('links made https', () => {
  it('are those of a plain text, and only their own beginning', () => {
    const content = 'HTTP://a.example, (http://b.example/x) https://web.example/http://c.example mailto:a@b.example';
    expect(withHttps({ document: null, content })).toEqual({
      content: 'https://a.example, (https://b.example/x) https://web.example/http://c.example mailto:a@b.example',
    });
  });

  it('are those of texts, buttons and pictures of a document; other texts stay', () => {
    const of = (scheme: string): RichDocument => ({
      type: 'doc',
      version: 1,
      content: [
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'here', marks: [{ type: 'link', attrs: { href: `${scheme}://a.example` } }] },
            {
              type: 'text',
              text: `${scheme}://b.example`,
              marks: [{ type: 'bold' }, { type: 'link', attrs: { href: `${scheme}://b.example` } }],
            },
            { type: 'text', text: 'about http://c.example' },
          ],
        },
        { type: 'button', attrs: { label: 'http', href: `${scheme}://d.example` } },
        { type: 'image', attrs: { fileId: 'f1', alt: '', width: 1, href: null } },
      ],
    });
    expect(withHttps({ document: of('http'), content: '' })).toEqual({ document: of('https') });
  });
});
