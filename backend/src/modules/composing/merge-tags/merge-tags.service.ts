import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/clock/clock.js';
import { type ComposedMessage, tagsOf } from '../../../shared/merge-tags/pieces.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { ContactFields, type CustomField, type SendableList } from '../../lists/index.js';
import { resolveTags } from './resolve-tags.js';
import { isCompany, type TagCatalogue, tagCatalogue } from './tag-catalogue.js';
import { readTags } from './tag-syntax.js';

/** The texts of a plain composition as typed. */
export interface PlainTexts {
  subject: string;
  preheader?: string;
  content: string;
}

type ChosenList = Pick<SendableList, 'id' | 'name' | 'isDefault'>;

/** Reads and checks the merge tags of a composition. */
@Injectable()
export class MergeTags {
  constructor(
    private readonly fields: ContactFields,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads a plain composition.
   * @returns null if it has no tags and no preview line, so that its content is sent unchanged
   */
  async plain(user: RequestUser, lists: readonly ChosenList[], texts: PlainTexts): Promise<ComposedMessage | null> {
    const message: ComposedMessage = {
      subject: readTags(texts.subject),
      preheader: readTags(texts.preheader ?? ''),
      text: readTags(texts.content),
      html: null,
    };
    if (tagsOf(message).length === 0 && message.preheader.length === 0) return null;
    return this.resolve(user, lists, message);
  }

  /**
   * Checks the tags of a message, and fills in those with the same value for all recipients.
   * @throws 400 for an unknown tag, for a tag in a URL, and if the subject could be empty
   */
  async resolve(user: RequestUser, lists: readonly ChosenList[], message: ComposedMessage): Promise<ComposedMessage> {
    return tagsOf(message).length === 0 ? message : resolveTags(message, await this.catalogue(user, lists));
  }

  /** All tags that a message to these lists may use. */
  async catalogue(user: RequestUser, lists: readonly ChosenList[]): Promise<TagCatalogue> {
    return tagCatalogue(
      user,
      lists.map(({ name }) => name),
      await this.customFields(user, lists),
      this.clock.now(),
    );
  }

  /**
   * The custom fields that tags may name. Of members of the shared network only the company is available, because their
   * other columns belong to the users who imported them.
   */
  private async customFields(user: RequestUser, lists: readonly ChosenList[]): Promise<CustomField[]> {
    const idsOf = (isDefault: boolean): string[] =>
      lists.filter((list) => list.isDefault === isDefault).map(({ id }) => id);
    const [own, network] = await Promise.all([
      this.fields.ofAccount(user.id, idsOf(false)),
      this.fields.of(idsOf(true)),
    ]);
    const companies = network.filter(isCompany);
    const known = new Set(own.map(({ key }) => key));
    // The network may label the company's column differently from the user's lists, so both labels are looked up.
    const merged = own.map((field) => {
      const labels = companies.find(({ key }) => key === field.key)?.labels ?? [];
      return labels.length > 0 ? { ...field, labels: [...new Set([...labels, ...field.labels])] } : field;
    });
    return [...merged, ...companies.filter(({ key }) => !known.has(key))];
  }
}
