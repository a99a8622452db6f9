import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { storableJson } from '../../../shared/database/queries/storable-text.js';
import type { TextColor } from '../../../shared/mail/message-style.js';
import { changedElsewhere } from '../composing.errors.js';
import type { DocumentJson } from '../document/document.js';
import { pictureIdsIn } from '../document/render-document.js';
import { Pictures } from '../pictures/pictures.service.js';
import { readClosingText } from './closing-text.js';
import { assertWhole, type PostalAddress } from './postal-address.js';
import type { SaveSenderProfileDto } from './sender-profile.dto.js';

/** The parts of a sender profile. */
export interface SenderParts extends PostalAddress {
  title: string | null;
  phone: string | null;
  website: string | null;
  profileUrl: string | null;
  signature: DocumentJson | null;
  footer: DocumentJson | null;
  logoFileId: string | null;
  accent: TextColor | null;
  showLogo: boolean;
}

/** A sender profile as stored; version 0 means that it was never saved. */
export interface StoredProfile extends SenderParts {
  version: number;
}

const NOTHING: StoredProfile = {
  version: 0,
  title: null,
  phone: null,
  website: null,
  profileUrl: null,
  addressLine1: null,
  addressLine2: null,
  city: null,
  region: null,
  postalCode: null,
  country: null,
  signature: null,
  footer: null,
  logoFileId: null,
  accent: null,
  showLogo: false,
};

const COLUMNS = `version, title, phone, website, profile_url as "profileUrl", address_line1 as "addressLine1", address_line2 as "addressLine2", city, region,
  postal_code as "postalCode", country, signature, footer, logo_file_id as "logoFileId", accent, show_logo as "showLogo"`;
const STORED = `title, phone, website, profile_url, address_line1, address_line2, city, region, postal_code, country, signature, footer, logo_file_id, accent, show_logo`;

/**
 * Stores sender profiles. A save names the version that it replaces; of two concurrent saves the database accepts one.
 */
@Injectable()
export class SenderProfiles {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly pictures: Pictures,
  ) {}

  /** Whether sends require a business address of the sender. */
  get isAddressRequired(): boolean {
    return this.settings.senderAddress === 'required';
  }

  /** The user's profile; if none was saved, an empty one of version 0. */
  async of(userId: string): Promise<StoredProfile> {
    const [found] = await rows<StoredProfile>(
      this.em.fork(),
      `select ${COLUMNS} from sender_profiles where user_id = ?`,
      [userId],
    );
    return found ?? NOTHING;
  }

  /**
   * Checks the parts of a request and converts them.
   * @throws 400 `document_invalid`
   */
  partsOf(given: SaveSenderProfileDto): SenderParts {
    const { signature, footer, showLogo, ...lines } = given;
    return {
      ...NOTHING,
      ...withoutAbsent(lines),
      logoFileId: given.logoFileId?.toLowerCase() ?? null,
      signature: readClosingText('signature', signature)?.briefJson ?? null,
      footer: readClosingText('footer', footer)?.briefJson ?? null,
      showLogo: showLogo ?? false,
    };
  }

  /**
   * Replaces the profile if it still has one of the given versions.
   * @param versions null accepts any version
   * @throws 400 for an incomplete address, 404 for a picture of another user, 412 if the profile was changed
   */
  async save(userId: string, versions: number[] | null, parts: SenderParts): Promise<StoredProfile> {
    assertWhole(parts);
    return inTransaction(this.em, async (em) => {
      await this.pictures.lock(em, userId, pictureIdsOf(parts));
      const values = valuesOf(parts);
      // Version 0 has no row yet. Of two concurrent first saves, one inserts the row and the other finds version 1.
      if (versions === null || versions.includes(0)) {
        const [made] = await rows<StoredProfile>(
          em,
          `insert into sender_profiles (user_id, ${STORED}) values (?, ${PLACES}) on conflict (user_id) do nothing returning ${COLUMNS}`,
          [userId, ...values],
        );
        if (made) return made;
      }
      const [saved] = await rows<StoredProfile>(
        em,
        `update sender_profiles set (${STORED}) = row(${PLACES}), version = version + 1, updated_at = now()
         where user_id = ? and (?::int[] is null or version = any(?::int[])) returning ${COLUMNS}`,
        [...values, userId, versions, versions],
      );
      if (saved) return saved;
      const [now] = await rows<{ version: number; updatedAt: Date }>(
        em,
        `select version, updated_at as "updatedAt" from sender_profiles where user_id = ?`,
        [userId],
      );
      throw changedElsewhere('profile', { version: 0, updatedAt: new Date(0), ...now, device: null });
    });
  }
}

const PLACES = `?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?::uuid, ?, ?`;

const valuesOf = (parts: SenderParts): unknown[] => [
  parts.title,
  parts.phone,
  parts.website,
  parts.profileUrl,
  parts.addressLine1,
  parts.addressLine2,
  parts.city,
  parts.region,
  parts.postalCode,
  parts.country,
  parts.signature && storableJson(parts.signature),
  parts.footer && storableJson(parts.footer),
  parts.logoFileId,
  parts.accent,
  parts.showLogo,
];

/** Ids of the pictures in a profile, without duplicates. */
export const pictureIdsOf = ({ signature, footer, logoFileId }: SenderParts): string[] => [
  ...new Set([
    ...(logoFileId ? [logoFileId] : []),
    ...[signature, footer].flatMap((document) => (document ? pictureIdsIn(document) : [])),
  ]),
];

const withoutAbsent = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
