import { Injectable } from '@nestjs/common';
import { BORDER, font, TEXT_SHADES } from '../../../shared/mail/message-style.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { isTag, type Piece } from '../../../shared/merge-tags/pieces.js';
import { escapeHtml } from '../../../shared/text/html.js';
import type { DocumentJson } from '../document/document.js';
import type { PictureSource } from '../document/html-renderer.js';
import { readDocument } from '../document/read-document.js';
import { renderDocument } from '../document/render-document.js';
import { Pictures } from '../pictures/pictures.service.js';
import { addressLine } from './postal-address.js';
import { pictureIdsOf, type SenderParts } from './sender-profiles.service.js';

/** Maximum size of the logo in pixels. */
const LOGO = { width: 220, height: 72 };
const TABLE = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed"';

/** The parts of the sender profile that a message includes. */
export interface SenderChoice {
  /** Whether the message has the logo and the colour. */
  brand: boolean;
  signature: boolean;
}

/** The parts that a sender profile adds to a message, the same for all recipients. */
export interface SenderLook {
  /** Colour of links and buttons; null means the default colour. */
  accent: string | null;
  /** HTML above the content; may be empty. */
  headHtml: string;
  /** HTML below the content; may be empty. */
  closingHtml: string;
  /** Text below the content; may be empty. */
  closingText: string;
  /** The business address on one line; null if there is none. */
  address: string | null;
  /** Ids of the pictures in these parts. */
  pictureIds: string[];
}

type Sender = Pick<RequestUser, 'id' | 'firstName' | 'lastName' | 'agencyName'>;

/** Renders the parts that a sender profile adds to messages. */
@Injectable()
export class SenderLooks {
  constructor(private readonly pictures: Pictures) {}

  async of(user: Sender, profile: SenderParts, { brand, signature }: SenderChoice): Promise<SenderLook> {
    const closing = signature ? [profile.signature, profile.footer].filter((part) => part !== null) : [];
    const shown = { ...profile, ...(!signature && { signature: null, footer: null }) };
    const hasHead = brand && profile.showLogo;
    if (!hasHead) shown.logoFileId = null;
    const pictureIds = pictureIdsOf(shown);
    const source = await this.pictures.sourceOf(user.id, pictureIds);
    const accent = brand && profile.accent ? TEXT_SHADES[profile.accent].light : null;
    const parts = closing.map((document) => rendered(document, source, accent));
    return {
      accent,
      headHtml: hasHead ? headHtml(user, shown.logoFileId, source, accent) : '',
      closingHtml: parts
        .map(({ html }) => `\n<table ${TABLE}><tr><td style="padding:20px 0 0">${html}</td></tr></table>`)
        .join(''),
      closingText: parts.map(({ text }) => `\n\n${text}`).join(''),
      address: addressLine(profile),
      pictureIds,
    };
  }
}

/** Renders a signature or closing line, which cannot contain merge tags. */
function rendered(document: DocumentJson, source: PictureSource, accent: string | null) {
  const { html, text } = renderDocument(readDocument(document), source, accent);
  return { html: textOf(html), text: textOf(text).trimEnd() };
}

const textOf = (pieces: readonly Piece[]): string => pieces.map((piece) => (isTag(piece) ? '' : piece)).join('');

/**
 * The logo or, without one, the agency's name, which is also the alt text of the logo. For a user without an agency,
 * the user's own name is used.
 */
function headHtml(user: Sender, logoFileId: string | null, source: PictureSource, accent: string | null): string {
  const name = escapeHtml(user.agencyName || `${user.firstName} ${user.lastName}`);
  const line = `border-bottom:2px solid ${accent ?? BORDER.light}`;
  const logo = logoFileId ? logoHtml(source.of(logoFileId), name) : name;
  return `<table ${TABLE}><tr><td class="rule" style="padding:0 0 12px;${font(18, 25)};font-weight:600;${line}">${logo}</td></tr><tr><td style="padding:0 0 18px;font-size:0;line-height:0">\u00a0</td></tr></table>\n`;
}

function logoHtml({ url, width, height }: ReturnType<PictureSource['of']>, name: string): string {
  const scale = Math.min(1, LOGO.width / width, LOGO.height / height);
  const [shownWidth, shownHeight] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  return `<img src="${escapeHtml(url)}" alt="${name}" width="${shownWidth}" height="${shownHeight}" border="0" style="display:block;border:0;max-width:100%;height:auto">`;
}
