import { isUuid } from '../../../shared/text/formats.js';
import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../../shared/http/index.js';
import { Lists } from '../../lists/index.js';
import { asDocument } from '../composed-body.js';
import { unknownDraft, unknownSource } from '../composing.errors.js';
import { type Composition, SentCompositions } from '../sent-compositions.js';
import type { CreateDraftDto } from './draft.dto.js';
import { type DraftParts, Drafts } from './drafts.service.js';

/** Reads the parts of a new draft from a past send or another draft. */
@Injectable()
export class DraftCopies {
  constructor(
    private readonly drafts: Drafts,
    private readonly sent: SentCompositions,
    private readonly lists: Lists,
  ) {}

  /**
   * The parts of a new draft: the given ones, or copies of a past send or another draft.
   * @throws 400, 404 for a send or draft of another user
   */
  async partsOf(user: RequestUser, { fromSendId, fromDraftId, ...given }: CreateDraftDto): Promise<DraftParts> {
    if (fromDraftId !== undefined) return this.ofDraft(user, fromDraftId);
    if (fromSendId !== undefined) return this.ofSend(user, fromSendId);
    return this.drafts.partsOf(user, given);
  }

  private async ofDraft(user: RequestUser, id: string): Promise<DraftParts> {
    if (!isUuid(id)) throw unknownDraft();
    const draft = await this.drafts.one(user.id, id);
    return { ...draft, listIds: await this.existing(user, draft.listIds) };
  }

  private async ofSend(user: RequestUser, id: string): Promise<DraftParts> {
    const sent = isUuid(id) ? await this.sent.of(user.id, id) : null;
    if (!sent) throw unknownSource();
    return { ...sent, ...bodyOf(sent), listIds: await this.existing(user, sent.listIds), step: 1 };
  }

  private async existing(user: RequestUser, ids: string[]): Promise<string[]> {
    return (await this.lists.present(user, ids)).map(({ id }) => id);
  }
}

/** The body as paragraphs. A plain text with more lines than a document may have nodes stays plain text. */
function bodyOf({ content, document }: Composition): Pick<DraftParts, 'content' | 'document'> {
  try {
    return { document: asDocument({ content, document }), content: null };
  } catch {
    return { document, content };
  }
}
