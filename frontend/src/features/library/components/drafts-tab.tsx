import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router-dom';
import { errorMessage } from '../../../api/api-error';
import { sendTypeLabel } from '../../../lib/roles';
import { routes, sendDraftPath } from '../../../lib/routes';
import { DeleteDialog } from '../../../ui/dialog/delete-dialog';
import { EmptyState } from '../../../ui/loading/empty-state';
import { PagedItems } from '../../../ui/grid/paged-items';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconArrowRight, IconCopy, IconDelete, IconEdit, IconSearch } from '../../../ui/icons';
import { RelativeTime } from '../../../ui/relative-time';
import { SearchField } from '../../../ui/form/search-field';
import { CardSkeletons } from '../../../ui/loading/skeletons';
import { Tag } from '../../../ui/tag';
import { useToast } from '../../../ui/toast/toast';
import { useDeleteDraft, useDrafts, useDuplicateDraft, type DraftSummary } from '../api';
import { messages } from '../messages';
import { ActionMenu } from '../../../ui/action-menu';
import { cardGrid, LinkedCard } from '../../../ui/linked-card';

const titleOf = (draft: DraftSummary) => draft.subject.trim() || 'No subject';

/** The user's drafts, last changed first. */
export function DraftsTab() {
  const grid = useServerGrid({ pageSize: 24 });
  const query = useDrafts(grid.args);
  const [deleting, setDeleting] = useState<DraftSummary | null>(null);
  return (
    <>
      <Box sx={{ maxWidth: 420, mb: 2.5 }}>
        <SearchField label="Search drafts..." value={grid.search} onSearch={grid.setSearch} />
      </Box>
      <PagedItems
        label="drafts"
        grid={grid}
        query={query}
        failedText={messages.draftsFailed}
        skeletons={<CardSkeletons />}
      >
        {({ rows }) =>
          rows.length === 0 ? (
            <NoDrafts isSearching={grid.search !== ''} />
          ) : (
            <Box component="section" aria-label="Drafts" sx={cardGrid}>
              {rows.map((draft) => (
                <DraftCard key={draft.id} draft={draft} onDelete={() => setDeleting(draft)} />
              ))}
            </Box>
          )
        }
      </PagedItems>
      {deleting && <DeleteDraft draft={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function NoDrafts({ isSearching }: { isSearching: boolean }) {
  if (isSearching) return <EmptyState icon={IconSearch} title={messages.noDraftMatch} />;
  return (
    <EmptyState
      icon={IconEdit}
      title={messages.noDrafts}
      action={
        <Button variant="contained" component={RouterLink} to={routes.send.path}>
          New email
        </Button>
      }
    />
  );
}

function DraftCard({ draft, onDelete }: { draft: DraftSummary; onDelete: () => void }) {
  const navigate = useNavigate();
  const duplicate = useDuplicateDraft();
  const toast = useToast();
  const { id, lists, emailType, device, updatedAt } = draft;
  const copy = async () => {
    try {
      void navigate(sendDraftPath(await duplicate(id)));
    } catch (error) {
      toast({ title: messages.failed, description: errorMessage(error, messages.tryAgain), variant: 'destructive' });
    }
  };
  return (
    <LinkedCard
      title={titleOf(draft)}
      to={sendDraftPath(id)}
      text={lists.length > 0 ? `To ${lists.map(({ name }) => name).join(', ')}` : 'No lists chosen'}
      foot={
        <>
          <Tag>{sendTypeLabel[emailType]}</Tag>
          <Typography variant="caption" color="textSecondary" sx={{ ml: 'auto', position: 'relative', zIndex: 1 }}>
            <RelativeTime iso={updatedAt} />
            {device && ` on ${device}`}
          </Typography>
        </>
      }
      menu={
        <ActionMenu
          label={`Actions for ${titleOf(draft)}`}
          actions={[
            { label: 'Continue', icon: IconArrowRight, onChoose: () => void navigate(sendDraftPath(id)) },
            { label: 'Duplicate', icon: IconCopy, onChoose: () => void copy() },
            { label: 'Delete', icon: IconDelete, onChoose: onDelete, destructive: true },
          ]}
        />
      }
    />
  );
}

function DeleteDraft({ draft, onClose }: { draft: DraftSummary; onClose: () => void }) {
  const remove = useDeleteDraft();
  return (
    <DeleteDialog title={`Delete the draft "${titleOf(draft)}"?`} onDelete={() => remove(draft.id)} onClose={onClose}>
      This action cannot be undone.
    </DeleteDialog>
  );
}
