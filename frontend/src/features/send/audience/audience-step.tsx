import Stack from '@mui/material/Stack';
import { mayTypes, roleLabel, sendTypes, type SendType } from '../../../lib/roles';
import { RadioCards, type CardChoice } from '../../../ui/form/radio-cards';
import { IconJob, IconUsers } from '../../../ui/icons';
import { useCurrentUser } from '../api';
import type { DraftState } from '../use-draft';
import { AudienceSummary } from './audience-summary';
import { LeaveOut } from './leave-out';
import { AudiencePicker } from './audience-picker';

const looks: Record<SendType, Omit<CardChoice<SendType>, 'value'>> = {
  'job-post': { label: 'Job Post', text: 'Share job opportunities', icon: IconJob },
  'candidate-list': { label: 'Candidate List', text: 'Share available candidates', icon: IconUsers },
};

/** Step 1: the type of mail and the lists. */
export function AudienceStep({ state }: { state: DraftState }) {
  const { draft, change } = state;
  const user = useCurrentUser();
  const allowed = mayTypes(user.role, user.isAdmin);
  const choices = sendTypes.map((value) => ({
    value,
    ...looks[value],
    ...(!allowed.includes(value) && {
      disabledReason: `Not with the role ${roleLabel(user.role)}. You can change it in Settings.`,
    }),
  }));
  return (
    <Stack sx={{ gap: 3 }}>
      <RadioCards
        legend="Email type"
        name="emailType"
        choices={choices}
        value={draft.emailType}
        onChange={(emailType) => change({ emailType })}
      />
      <AudiencePicker draft={draft} change={change} />
      <LeaveOut audience={draft.audience} onChange={(audience) => change({ audience })} />
      <AudienceSummary draft={draft} />
    </Stack>
  );
}
