import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../shared/http/index.js';
import { type ComposedMessage, fillPieces, isTag } from '../../shared/merge-tags/pieces.js';
import {
  type ComposedBody,
  contentRequired,
  type DocumentJson,
  hrefsOf,
  isBlank,
  MergeTags,
  Pictures,
  readBody,
  readTags,
  refuseLiteralTags,
  renderDocument,
  tagInLink,
} from '../composing/index.js';
import type { NewSendMessage } from '../delivery/index.js';
import type { SendableList } from '../lists/index.js';

/** A composition that is to be sent, as it came. */
export interface GivenComposition {
  subject: string;
  preheader?: string;
  content?: string;
  document?: unknown;
}

/** The same, with its body checked. */
export interface CheckedComposition extends ComposedBody {
  subject: string;
  /** Empty: none. */
  preheader: string;
}

/** A composition as texts of a send. */
export interface ComposedSend {
  /** For the history: the plain text, of a document the text that is derived from it, with its tags as they are typed. */
  content: string;
  /** What the messages are made of; null where the content goes out as it stands. */
  written: NewSendMessage | null;
  /** The document that was rendered; null for plain text. */
  document: DocumentJson | null;
}

/**
 * Turns compositions into the texts of a send. A document is rendered here, once: workers know no documents, and a
 * later change of the renderer changes no mail that is under way.
 */
@Injectable()
export class ComposedSends {
  constructor(
    private readonly tags: MergeTags,
    private readonly pictures: Pictures,
  ) {}

  /** A composition that may say nothing yet. @throws 400 for both a content and a document, or one that is not valid */
  read(given: GivenComposition): CheckedComposition {
    return {
      ...readBody(given),
      subject: given.subject,
      preheader: given.preheader ?? '',
    };
  }

  /** A composition that is to be sent. @throws 400 also where it says nothing */
  check(given: GivenComposition): CheckedComposition {
    const composition = this.read(given);
    if (composition.document ? isBlank(composition.document) : composition.content === null) throw contentRequired();
    return composition;
  }

  /** @throws 400 for tags that cannot be filled, 404 for a picture of somebody else */
  async of(user: RequestUser, lists: readonly SendableList[], composition: CheckedComposition): Promise<ComposedSend> {
    const { subject, preheader, content, document } = composition;
    if (!document) {
      const message = await this.tags.plain(user, lists, {
        subject,
        preheader,
        content: content ?? '',
      });
      return {
        content: content ?? '',
        written: message && written(message, preheader),
        document: null,
      };
    }
    refuseLiteralTags(document);
    refuseTagsInLinks(hrefsOf(document));
    const rendered = renderDocument(document, await this.pictures.sourceFor(user.id, document));
    const message = await this.tags.resolve(user, lists, {
      subject: readTags(subject),
      preheader: readTags(preheader),
      text: rendered.text,
      html: rendered.html,
    });
    const htmlBytes = Buffer.byteLength(fillPieces(message.html ?? [], ({ fallback }) => fallback ?? ''));
    return {
      content: rendered.content,
      written: {
        ...written(message, preheader),
        document: document.json,
        htmlBytes,
      },
      document: document.json,
    };
  }
}

/** A link would carry details of contacts to whatever site it leads to. Browsers write braces of an address as %7B and %7D. */
function refuseTagsInLinks(hrefs: readonly string[]): void {
  for (const href of hrefs) {
    const tag = readTags(href.replace(/%7B/gi, '{').replace(/%7D/gi, '}').replace(/%7C/gi, '|')).find(isTag);
    if (tag) throw tagInLink(tag);
  }
}

const written = (message: ComposedMessage, preheader: string): NewSendMessage => ({
  message,
  preheader: preheader || null,
  document: null,
  job: null,
  htmlBytes: null,
});
