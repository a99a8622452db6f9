import Box from '@mui/material/Box';
import { useState } from 'react';
import { client } from '../../api/client';
import type { ContactTagDto } from '../../api/endpoints.gen';
import { ActionMenu } from '../../ui/action-menu';
import { DeleteDialog } from '../../ui/dialog/delete-dialog';
import { IconDelete, IconEdit } from '../../ui/icons';
import { QueryError } from '../../ui/loading/section-error';
import { LoadingRegion, RowSkeletons } from '../../ui/loading/skeletons';
import { NameDialog } from '../../ui/dialog/name-dialog';
import { messages } from './messages';
import { groupRow, SettingsGroup } from './settings-group';

/** The tags that the account gives its contacts. */
export function ContactTags() {
  const tags = client.useListContactTagsQuery();
  const [isAdding, setAdding] = useState(false);
  const [add] = client.useAddContactTagMutation();
  if (tags.error && !tags.data) return <QueryError query={tags} text={messages.tagsFailed} />;
  if (!tags.data) {
    return (
      <LoadingRegion label="Loading tags">
        <RowSkeletons count={2} height={48} />
      </LoadingRegion>
    );
  }
  return (
    <>
      <SettingsGroup title="Tags" empty="No tags yet." add="Add tag" onAdd={() => setAdding(true)}>
        {tags.data.map((tag) => (
          <TagRow key={tag.id} tag={tag} />
        ))}
      </SettingsGroup>
      {isAdding && (
        <NameDialog
          title="Add tag"
          submitLabel="Add tag"
          name=""
          onSubmit={async (name) => void (await add({ createContactTagDto: { name } }).unwrap())}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}

function TagRow({ tag }: { tag: ContactTagDto }) {
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null);
  const [update] = client.useUpdateContactTagMutation();
  const [remove] = client.useDeleteContactTagMutation();
  const close = () => setDialog(null);
  return (
    <Box component="li" sx={groupRow}>
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{tag.name}</Box>
      <ActionMenu
        label={`Actions for ${tag.name}`}
        actions={[
          { label: 'Rename', icon: IconEdit, onChoose: () => setDialog('rename') },
          { label: 'Delete', icon: IconDelete, onChoose: () => setDialog('delete'), destructive: true },
        ]}
      />
      {dialog === 'rename' && (
        <NameDialog
          title="Rename tag"
          submitLabel="Rename"
          name={tag.name}
          onSubmit={async (name) => void (await update({ id: tag.id, updateContactTagDto: { name } }).unwrap())}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <DeleteDialog title={`Delete "${tag.name}"?`} onDelete={() => remove({ id: tag.id }).unwrap()} onClose={close}>
          Contacts lose the tag and stay. This action cannot be undone.
        </DeleteDialog>
      )}
    </Box>
  );
}
