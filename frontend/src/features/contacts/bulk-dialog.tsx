import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { client } from '../../api/client';
import type { BulkRequestDto } from '../../api/endpoints.gen';
import { plural } from '../../lib/format';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
import { useToast } from '../../ui/toast/toast';
import { reasonOf, useOwnLists, type ContactTag } from './api';
import { FieldChoice } from './field-choice';

export type BulkAction = BulkRequestDto['action'];
type Choice = Pick<BulkRequestDto, 'tags' | 'listId' | 'field' | 'value'>;

/** Labels of the actions, in the order of their buttons. */
export const bulkLabels: Record<BulkAction, string> = {
  addTags: 'Add tag',
  removeTags: 'Remove tag',
  addToList: 'Add to list',
  removeFromList: 'Remove from list',
  setField: 'Set field',
  delete: 'Delete',
};

interface BulkDialogProps {
  action: BulkAction;
  target: Pick<BulkRequestDto, 'ids' | 'filter'>;
  title: string;
  onClose: () => void;
  onStarted: () => void;
}

/** Asks for the parameters of an action, then starts it on the server. */
export function BulkDialog({ action, target, title, onClose, onStarted }: BulkDialogProps) {
  const [start, { isLoading }] = client.useStartBulkMutation();
  const [chosen, setChosen] = useState<Choice>({});
  const [error, setError] = useState<string>();
  const toast = useToast();
  const isTags = action === 'addTags' || action === 'removeTags';
  const isList = action === 'addToList' || action === 'removeFromList';
  const choose = (next: Choice) => {
    setChosen(next);
    setError(undefined);
  };
  const confirm = async () => {
    const missing = missingIn(action, chosen);
    if (missing) {
      setError(missing);
      return;
    }
    try {
      await start({ bulkRequestDto: { ...target, action, ...chosen } }).unwrap();
      toast({ title: 'Changing Contacts', description: 'You can leave this page.', variant: 'info' });
      onClose();
      onStarted();
    } catch (fault) {
      setError(reasonOf(fault));
    }
  };
  return (
    <ConfirmDialog
      open
      title={title}
      confirmLabel={bulkLabels[action]}
      destructive={action === 'delete'}
      pending={isLoading}
      error={error}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Box sx={{ pt: 0.5 }}>
        {isTags && <TagChoice onChoose={(tag) => choose(tag ? { tags: [tag.id] } : {})} />}
        {isList && <ListChoice onChoose={(listId) => choose(listId ? { listId } : {})} />}
        {action === 'setField' && <FieldChoice onChoose={choose} />}
        {action === 'addToList' && 'They join as Pending, and each gets one email asking them to confirm.'}
        {action === 'delete' &&
          'Removes them from all lists, with details, tags and notes. This action cannot be undone. Unsubscribes and the record of past sends stay.'}
      </Box>
    </ConfirmDialog>
  );
}

/** What still has to be chosen, as text. */
function missingIn(action: BulkAction, { tags, listId, field }: Choice): string | undefined {
  switch (action) {
    case 'addTags':
    case 'removeTags':
      return tags ? undefined : 'Choose a tag';
    case 'addToList':
    case 'removeFromList':
      return listId ? undefined : 'Choose a list';
    case 'setField':
      return field ? undefined : 'Choose a field';
    case 'delete':
      return undefined;
  }
}

function TagChoice({ onChoose }: { onChoose: (tag: ContactTag | null) => void }) {
  const { data: tags = [] } = client.useListContactTagsQuery();
  return (
    <Autocomplete
      options={tags}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ id }) => id}
      onChange={(_event, tag) => onChoose(tag)}
      noOptionsText="No such tag; tags are added in the settings"
      renderInput={(params) => <TextField {...params} label="Tag" autoFocus />}
    />
  );
}

function ListChoice({ onChoose }: { onChoose: (listId: string | null) => void }) {
  const { lists, limitHint } = useOwnLists();
  return (
    <Autocomplete
      options={lists}
      getOptionLabel={({ name, contactCount }) => `${name}, ${plural(contactCount, 'contact')}`}
      getOptionKey={({ id }) => id}
      onChange={(_event, list) => onChoose(list?.id ?? null)}
      renderInput={(params) => <TextField {...params} label="List" autoFocus helperText={limitHint} sx={{ mb: 1 }} />}
    />
  );
}
