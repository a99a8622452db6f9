import { isUuid } from '../../../shared/text/formats.js';
import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../../shared/http/index.js';
import { SEND_TYPE_OF_ROLE } from '../../../shared/enums.js';
import { asDocument, readBody } from '../composed-body.js';
import { contentRequired, unknownDraft, unknownSource } from '../composing.errors.js';
import { Drafts, optionsOf } from '../drafts/drafts.service.js';
import { Pictures } from '../pictures/pictures.service.js';
import { SentCompositions } from '../sent-compositions.js';
import type { CreateTemplateDto, UpdateTemplateDto } from './template.dto.js';
import type { TemplateParts } from './template-store.service.js';

/** Reads the source of a new template: a document, a past send or a draft. */
@Injectable()
export class TemplateSources {
  constructor(
    private readonly drafts: Drafts,
    private readonly sent: SentCompositions,
    private readonly pictures: Pictures,
  ) {}

  /** @throws 400 if the source has no body, 404 for a send, draft or picture of another user */
  async partsOf(user: RequestUser, given: CreateTemplateDto): Promise<TemplateParts> {
    const source = await this.sourceOf(user, given);
    const own = await this.changesOf(user, given);
    return {
      name: given.name,
      emailType: own.emailType ?? source?.emailType ?? SEND_TYPE_OF_ROLE[user.role],
      subject: own.subject !== undefined ? own.subject : source?.subject.trim() || null,
      document: own.document ?? (source ? asDocument(source) : missing()),
      options: optionsOf({ ...source?.options, ...optionsOf(given) }),
    };
  }

  /**
   * Checks the changed parts of a request.
   * @throws 400 `document_invalid`, 404 for a picture of another user
   */
  async changesOf(user: RequestUser, given: UpdateTemplateDto): Promise<Partial<Omit<TemplateParts, 'options'>>> {
    const { document } = readBody({ document: given.document });
    if (document) await this.pictures.assertOwn(user.id, document);
    return {
      ...(given.name !== undefined && { name: given.name }),
      ...(given.emailType !== undefined && { emailType: given.emailType }),
      ...(given.subject !== undefined && { subject: given.subject }),
      ...(document && { document: document.briefJson }),
    };
  }

  private async sourceOf(user: RequestUser, { fromDraftId, fromSendId }: CreateTemplateDto) {
    if (fromDraftId !== undefined) {
      if (!isUuid(fromDraftId)) throw unknownDraft();
      return this.drafts.one(user.id, fromDraftId);
    }
    if (fromSendId === undefined) return null;
    const sent = isUuid(fromSendId) ? await this.sent.of(user.id, fromSendId) : null;
    if (!sent) throw unknownSource();
    return sent;
  }
}

function missing(): never {
  throw contentRequired();
}
