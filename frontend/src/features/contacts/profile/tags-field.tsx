import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useId, useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import { client } from '../../../api/client';
import { messages, type ContactTag } from '../api';

interface TagsFieldProps {
  ids: readonly number[];
  onSave: (ids: number[]) => Promise<unknown>;
}

/** The person's tags. A name that is not a tag yet becomes one with Enter. */
export function TagsField({ ids, onSave }: TagsFieldProps) {
  const id = useId();
  const { data } = client.useListContactTagsQuery();
  const tags = data ?? [];
  const [add] = client.useAddContactTagMutation();
  const [isSaving, setSaving] = useState(false);
  const [message, setMessage] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const chosen = tags.filter((tag) => ids.includes(tag.id));
  const save = async (next: readonly (ContactTag | string)[]) => {
    setFailure(undefined);
    setMessage('Saving…');
    setSaving(true);
    try {
      const known = await Promise.all(next.map(async (tag) => (typeof tag === 'string' ? made(tag) : tag)));
      // Keeps ids of tags that are not loaded here, such as one that was created elsewhere a moment ago.
      const unknown = ids.filter((one) => !tags.some((tag) => tag.id === one));
      await onSave([...new Set([...unknown, ...known.map((tag) => tag.id)])]);
      setMessage(messages.saved);
    } catch (error) {
      setMessage(undefined);
      setFailure(errorMessage(error, messages.tryAgain));
    } finally {
      setSaving(false);
    }
  };
  const made = (name: string): ContactTag | Promise<ContactTag> =>
    tags.find((tag) => tag.name.toLowerCase() === name.trim().toLowerCase()) ??
    add({ createContactTagDto: { name: name.trim() } }).unwrap();
  return (
    <Autocomplete<ContactTag, true, false, true>
      id={id}
      multiple
      freeSolo
      disabled={!data || isSaving}
      autoHighlight
      options={tags}
      value={chosen}
      getOptionLabel={(tag) => (typeof tag === 'string' ? tag : tag.name)}
      getOptionKey={(tag) => (typeof tag === 'string' ? tag : tag.id)}
      isOptionEqualToValue={(a, b) => typeof a !== 'string' && typeof b !== 'string' && a.id === b.id}
      onChange={(_event, next) => void save(next)}
      renderInput={(params) => (
        <TextField
          {...params}
          label="Tags"
          error={Boolean(failure)}
          helperText={failure ?? message ?? 'Enter adds a new tag'}
          slotProps={{ ...params.slotProps, formHelperText: { role: 'status' } }}
        />
      )}
    />
  );
}
