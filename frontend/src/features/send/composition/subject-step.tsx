import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { OptionalMark } from '../../../ui/form/text-field';
import { MAX_PREHEADER_LENGTH, MAX_SUBJECT_LENGTH } from '../draft';
import type { FindingPlace } from '../check/finding-place';
import type { DraftState } from '../use-draft';
import { useMergeTags } from './use-merge-tags';
import { TagField } from './tag-field';

/** Step 2: the subject and the preview line. */
export function SubjectStep({
  state: { draft, change },
  place,
  pasting,
}: {
  state: DraftState;
  place?: FindingPlace | null;
  /** Button that opens the dialog in which the user pastes a requirement and gets a job post. */
  pasting?: ReactNode;
}) {
  const tags = useMergeTags(draft.emailListIds);
  return (
    <Stack sx={{ gap: 2.5 }}>
      <TagField
        id="send-subject"
        label="Subject line"
        value={draft.subject}
        onChange={(subject) => change({ subject })}
        max={MAX_SUBJECT_LENGTH}
        tags={tags}
        placeholder="Senior Java Developer, Hartford CT, 12 months"
        hint="Title, place and terms: what makes a vendor open it"
        required
        autoFocus
        place={place?.part === 'subject' ? place : null}
      />
      <TagField
        id="send-preheader"
        label={<OptionalMark label="Preview line" />}
        value={draft.preheader}
        onChange={(preheader) => change({ preheader })}
        max={MAX_PREHEADER_LENGTH}
        tags={tags}
        hint="Shown after the subject in most inboxes"
        place={place?.part === 'preheader' ? place : null}
      />
      {pasting && <Box>{pasting}</Box>}
    </Stack>
  );
}
