import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { isApiError } from '../../../api/api-error';
import { formatDateTime, plural } from '../../../lib/format';
import { sendTypeLabel } from '../../../lib/roles';
import { routes } from '../../../lib/routes';
import { BackLink } from '../../../ui/back-link';
import { ChipList } from '../../../ui/chip-list';
import { Page } from '../../../ui/page';
import { PageHeader } from '../../../ui/page-header';
import { SectionError } from '../../../ui/section-error';
import { PageSkeleton } from '../../../ui/skeletons';
import { useHistoryEntry, type HistoryEntry } from '../api';
import { messages } from '../messages';
import { useProgress } from '../use-progress';
import { DeliveryLog } from './delivery-log';
import { OutcomeCounts } from './outcome-counts';
import { SendControls } from './send-controls';
import { SendProgress } from './send-progress';
import { SendStatus } from './send-status';
import { SentMessage } from './sent-message';

/** One send: how it goes or went, the message, and every delivery. */
export function EntryScreen({ entryId, notFound }: { entryId: string; notFound: ReactNode }) {
  const { data: entry, error, isFetching, refetch } = useHistoryEntry(entryId);
  if (isApiError(error) && error.status === 404) return notFound;
  if (error && !entry) {
    return (
      <Page>
        <SectionError message={messages.entryFailed} pending={isFetching} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return entry ? <Entry entry={entry} /> : <PageSkeleton />;
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const isPending = entry.status === 'pending';
  const { counts: live, note } = useProgress(entry.id, isPending);
  const counts = (isPending && live) || entry.counts;
  const total = Number(entry.recipientCount);
  return (
    <Page>
      <PageHeader
        title={entry.subject}
        lead={<BackLink to={routes.history.path} label="Back to send history" />}
        badge={<SendStatus item={entry} />}
        action={<SendControls entry={entry} counts={counts} />}
        description={`${sendTypeLabel[entry.emailType]} to ${plural(entry.recipientCount, 'recipient')}, ${formatDateTime(entry.sentAt)}`}
      />
      <Stack sx={{ gap: 3 }}>
        {isPending && (
          <Paper variant="outlined" sx={{ p: 2.5 }}>
            <SendProgress counts={counts} total={total} note={note(total)} stopped={entry.stopped} />
          </Paper>
        )}
        <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
          <OutcomeCounts counts={counts} />
        </Paper>
        <Section title="Message">
          <Paper variant="outlined" sx={{ p: 2.5 }}>
            <ChipList label="Lists" items={entry.lists.map((list, index) => ({ id: list.id ?? `gone-${index}`, text: list.name }))} />
            <Box sx={{ mt: 2, pt: 2, borderTop: 1, borderColor: 'surface.line' }}>
              <SentMessage subject={entry.subject} content={entry.content} html={entry.html} />
            </Box>
          </Paper>
        </Section>
        <Section title="Delivery log">
          <DeliveryLog entryId={entry.id} isPending={isPending} />
        </Section>
      </Stack>
    </Page>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" aria-label={title}>
      <Typography variant="h2" sx={{ mb: 1.25 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}
