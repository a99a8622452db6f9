import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { formatCount } from '../../../lib/format';
import { sendTypeLabel } from '../../../lib/roles';
import { ChipList } from '../../../ui/chip-list';
import { usePreview, useSendableLists } from '../api';
import { blanksIn } from '../templates';
import type { DraftState } from '../use-draft';
import { LeftOut, PreviewFault } from './audience-summary';
import { MessageSheet } from './message-sheet';
import { SendWarnings } from './send-warnings';

const CONTENT_STEP = 2;

/** Step 4: exactly what goes to whom. */
export function PreviewStep({ state: { draft, go }, isLocked }: { state: DraftState; isLocked: boolean }) {
  const { data: preview, error, isFetching, refetch } = usePreview(draft);
  const { data: lists } = useSendableLists();
  const chosen = lists?.rows.filter((list) => draft.emailListIds.includes(list.id)) ?? [];
  const blanks = blanksIn(`${draft.subject}\n${draft.content}`);
  return (
    <Stack sx={{ gap: 2.5 }}>
      <SendWarnings />
      {blanks.length > 0 && (
        <Alert severity="warning" action={<Button size="small" color="inherit" disabled={isLocked} onClick={() => go(CONTENT_STEP)}>Edit content</Button>}>
          {blanks.length === 1 ? 'One blank is' : `${blanks.length} blanks are`} not filled in yet: {blanks.slice(0, 4).join(', ')}
          {blanks.length > 4 && ' and more'}
        </Alert>
      )}
      {error && <PreviewFault error={error} pending={isFetching} onRetry={() => void refetch()} />}
      <Box component="dl" sx={{ m: 0, display: 'grid', gap: 1.5, gridTemplateColumns: { xs: '1fr', sm: '140px 1fr' }, '& dt': { color: 'text.secondary' }, '& dd': { m: 0 }, alignItems: 'baseline' }}>
        <Fact term="Type">{sendTypeLabel[draft.emailType]}</Fact>
        <Fact term="Total recipients">
          {preview ? (
            <>
              <Typography variant="figure" sx={{ display: 'block', mb: 0.5 }}>
                {formatCount(preview.recipientCount)}
              </Typography>
              <LeftOut preview={preview} />
            </>
          ) : (
            !error && <Skeleton width={90} height={28} />
          )}
        </Fact>
        <Fact term="Lists">
          <ChipList label="Lists" items={chosen.map((list) => ({ id: list.id, text: list.name }))} />
        </Fact>
      </Box>
      <MessageSheet subject={draft.subject} content={draft.content} preview={preview} />
    </Stack>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  );
}
