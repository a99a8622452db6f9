import { Extension } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import OfficePaste from '@intevation/tiptap-extension-office-paste';
import { cleanHtml, type Cleaned } from './clean-html';
import { foreignTagsIn } from './foreign-tags';
import { prepareOfficeLists } from './office-lists';
import { fittedToTable } from './nested-tables';
import { noReport, type PasteReport } from './paste-report';
import { pictureFiles } from './pasted-pictures';

interface PasteOptions {
  onPasted: (report: PasteReport) => void;
}

const parse = (html: string) => new DOMParser().parseFromString(html, 'text/html');

/** Marker without which the converter of office lists does nothing. */
const OFFICE = '<meta name="x" content="schemas-microsoft-com:office">';

/**
 * Lists of Word and Outlook, which arrive as paragraphs. They are prepared here, and converted by the library's
 * extension at the next lower priority.
 */
export const OfficeLists = Extension.create({
  name: 'officeLists',
  priority: 100_000,
  addExtensions: () => [OfficePaste],
  addProseMirrorPlugins: () => [
    new Plugin({
      key: new PluginKey('officeLists'),
      props: {
        transformPastedHTML: (html) => {
          if (!/mso-list/i.test(html)) return html;
          const page = parse(html);
          prepareOfficeLists(page.body);
          return page.documentElement.outerHTML.replace('<head>', `<head>${OFFICE}`);
        },
      },
    }),
  ],
});

/** Reduces pasted content to the schema, and reports to the screen what was left out. */
export const SanitizePaste = Extension.create<PasteOptions>({
  name: 'closedPaste',
  priority: 50,

  addOptions: () => ({ onPasted: () => undefined }),

  addProseMirrorPlugins() {
    const { onPasted } = this.options;
    const nothing: Cleaned = { pictures: 0, embedded: [], looks: false };
    let cleaned = nothing;
    return [
      new Plugin({
        key: new PluginKey('closedPaste'),
        props: {
          transformPastedHTML: (html) => {
            // Content that was copied in this editor fits the schema already.
            if (html.includes('data-pm-slice')) return html;
            const page = parse(html);
            cleaned = cleanHtml(page.body);
            return page.body.innerHTML;
          },
          transformPasted: (slice, view) => fittedToTable(slice, view.state),
          handlePaste: (view, event, slice) => {
            const text =
              event.clipboardData?.getData('text/plain') ?? slice.content.textBetween(0, slice.content.size, '\n');
            const kinds = new Set<string>();
            slice.content.descendants((node) => void kinds.add(node.type.name));
            // A copied picture arrives as a file, and as HTML that names its URL.
            const files = cleaned.embedded.length > 0 ? [] : pictureFiles(event.clipboardData);
            const report: PasteReport = {
              looks: cleaned.looks,
              offered: files.length > 0 ? files : cleaned.embedded,
              pictures: Math.max(0, cleaned.pictures - files.length),
              lists: kinds.has('bulletList') || kinds.has('orderedList'),
              tables: kinds.has('table'),
              text,
              foreignTags: foreignTagsIn(text),
            };
            cleaned = nothing;
            // Lets the paste be undone by itself, without what was typed right before it.
            view.dispatch(closeHistory(view.state.tr));
            queueMicrotask(() => onPasted(report));
            // If nothing is left to paste, the browser would insert the picture itself.
            return slice.size === 0 && report.offered.length > 0;
          },
          handleDrop: (_view, event) => {
            const offered = pictureFiles(event.dataTransfer);
            if (offered.length === 0) return false;
            event.preventDefault();
            queueMicrotask(() => onPasted({ ...noReport, offered }));
            return true;
          },
        },
      }),
    ];
  },
});
