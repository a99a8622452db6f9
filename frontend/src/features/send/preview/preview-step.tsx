import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { isApiError } from '../../../api/api-error';
import { sendTypeLabel } from '../../../lib/roles';
import { ChipList } from '../../../ui/tag';
import { usePreview, useSegments, useSendableLists, type SendPreview } from '../api';
import type { Draft } from '../draft';
import type { DraftState } from '../use-draft';
import { ExclusionSummary, PreviewError, recipientsText } from '../audience/audience-summary';
import { Fact } from './fact';
import { MessageSheet } from './message-sheet';
import { RecipientStepper } from './recipient-stepper';
import { SenderParts } from './sender-parts';
import type { PreviewRecipient } from './preview-recipient';
import { useRecipientSteps } from './use-recipient-steps';

/** Step 4: the recipients and the rendered message, and sending it. */
export function PreviewStep({
  state: { draft, change },
  isLocked,
  isForecast,
  onRecipientChange,
}: {
  state: DraftState;
  isLocked: boolean;
  /** Whether the check shows who is left out. */
  isForecast?: boolean;
  /** Called with the recipient whose copy is shown; with null for made-up values. */
  onRecipientChange?: (recipient: PreviewRecipient | null) => void;
}) {
  const { data: preview, error, isFetching, refetch } = usePreview(draft);
  const { data: lists } = useSendableLists();
  const chosen = lists?.rows.filter((list) => draft.emailListIds.includes(list.id)) ?? [];
  return (
    <Stack sx={{ gap: 2.5 }}>
      {error && <PreviewError error={error} pending={isFetching} onRetry={() => void refetch()} />}
      <Box
        component="dl"
        sx={{
          m: 0,
          display: 'grid',
          gap: 1.5,
          gridTemplateColumns: { xs: '1fr', sm: '140px 1fr' },
          '& dt': { color: 'text.secondary' },
          '& dd': { m: 0 },
          alignItems: 'baseline',
        }}
      >
        <Fact term="Type">{sendTypeLabel[draft.emailType]}</Fact>
        <Fact term="Total recipients">
          {preview ? (
            <>
              <Typography variant="figure" sx={{ display: 'block', mb: 0.5 }}>
                {recipientsText(preview)}
              </Typography>
              <ExclusionSummary preview={preview} isForecast={isForecast} />
            </>
          ) : (
            !error && <Skeleton width={90} height={28} />
          )}
        </Fact>
        <SenderParts draft={draft} onChange={change} disabled={isLocked} />
        {draft.emailListIds.length > 0 && (
          <Fact term="Lists">
            <ChipList label="Lists" items={chosen.map((list) => ({ id: list.id, text: list.name }))} />
          </Fact>
        )}
        {draft.audience.segmentIds.length > 0 && (
          <Fact term="Segments">
            <ChosenSegments ids={draft.audience.segmentIds} />
          </Fact>
        )}
      </Box>
      <Copies
        draft={draft}
        preview={preview}
        onRecipientChange={onRecipientChange}
        total={preview && !preview.isAbout ? Number(preview.recipientCount) : null}
      />
    </Stack>
  );
}

function ChosenSegments({ ids }: { ids: readonly string[] }) {
  const { data } = useSegments();
  const chosen = data?.rows.filter(({ id }) => ids.includes(id)) ?? [];
  return <ChipList label="Segments" items={chosen.map(({ id, name }) => ({ id, text: name }))} />;
}

/** The message rendered for one recipient at a time. */
function Copies({
  draft,
  preview,
  total,
  onRecipientChange,
}: {
  draft: Draft;
  preview?: SendPreview;
  total: number | null;
  onRecipientChange?: (recipient: PreviewRecipient | null) => void;
}) {
  const [marks, setMarks] = useState(false);
  const steps = useRecipientSteps(draft, total, marks);
  const { error, isFetching, refetch, recipient } = steps;
  useEffect(() => onRecipientChange?.(recipient), [onRecipientChange, recipient]);
  const plain =
    preview?.html && preview.text !== undefined
      ? { subject: draft.subject, preheader: draft.preheader, html: preview.html, text: preview.text }
      : null;
  if (isApiError(error) && error.status === 400 && error.message)
    return <Alert severity="warning">{error.message}</Alert>;
  return (
    <>
      {!error && <RecipientStepper steps={steps} />}
      <MessageSheet
        subject={draft.subject}
        message={steps.message ?? (error ? plain : null)}
        isFailed={Boolean(error)}
        isWaiting={isFetching}
        onRetry={() => void refetch()}
      >
        {steps.hasTags && (
          <FormControlLabel
            control={<Switch size="small" checked={marks} onChange={(_event, checked) => setMarks(checked)} />}
            label="Show tags"
            sx={{ mr: 0 }}
          />
        )}
      </MessageSheet>
    </>
  );
}
