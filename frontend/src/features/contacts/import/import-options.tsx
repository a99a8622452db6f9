import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent, useState } from 'react';
import { client } from '../../../api/client';
import { useCurrentUser } from '../../../api/session';
import { useAddress } from '../../../lib/use-address';
import { FilterSelect } from '../../../ui/form/filter-select';
import { RadioCards, type CardChoice } from '../../../ui/form/radio-cards';
import { useOwnLists } from '../api';
import type { Import, ImportChange } from './api';
import { Attestation } from './attestation';

type Existing = Import['options']['existing'];

const existingChoices: readonly CardChoice<Existing>[] = [
  { value: 'fill', label: 'Fill in what is empty', text: 'What you know stays.' },
  { value: 'replace', label: 'Replace', text: 'The file wins where it has a value.' },
  { value: 'leave', label: 'Leave as they are', text: 'Only new people are added.' },
];

const MAX_TAGS = 50;
const MAX_TAG_LENGTH = 50;

interface ImportOptionsProps {
  found: Import;
  save: (change: ImportChange) => Promise<boolean>;
}

/** Options of an import: the list, the tags, what happens to known people, and whether people have already agreed. */
export function ImportOptions({ found, save }: ImportOptionsProps) {
  const { options } = found;
  const { isVerified } = useCurrentUser();
  const { lists, limitHint } = useOwnLists();
  const { params, write } = useAddress();
  const [chosenList, setChosenList] = useState<string>();
  const listId = chosenList ?? options.listId ?? '';
  // The URL names the list of the page that linked here. That list can be saved only once the file is read.
  const saveWanted = useEffectEvent(async () => {
    const wanted = params.get('list');
    if (!wanted) return;
    if (wanted !== options.listId) await save({ listId: wanted });
    write({ list: null }, { replace: true });
  });
  useEffect(() => void saveWanted(), []);
  const [tags, setTags] = useState<string[]>(options.tags);
  const [existing, setExisting] = useState(options.existing);
  const { data: known = [] } = client.useListContactTagsQuery();
  const own = lists.map(({ id, name }) => ({ value: id, label: name }));
  // The chosen list may not be among the newest ones: it may be older, or the shared list, which is chosen on its own
  // page.
  const chosen =
    listId && !own.some(({ value }) => value === listId)
      ? [{ value: listId, label: found.listName ?? 'Chosen list' }]
      : [];
  return (
    <Box sx={{ display: 'grid', gap: 2.5 }}>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' } }}>
        <div>
          <FilterSelect
            label="Put them on"
            value={listId}
            choices={[{ value: '', label: 'No list yet' }, ...chosen, ...own]}
            onChange={(id) => {
              setChosenList(id);
              void save({ listId: id || null });
            }}
          />
          <Typography variant="body2" color="textSecondary" sx={{ mt: 0.75 }}>
            {listId ? consentHint(isVerified) : 'They are kept as contacts and get no email.'} {limitHint}
          </Typography>
        </div>
        <Autocomplete
          multiple
          freeSolo
          options={known.map(({ name }) => name)}
          value={tags}
          onChange={(_event, next) => {
            const names = [...new Set(next.map((tag) => tag.trim().slice(0, MAX_TAG_LENGTH)).filter(Boolean))];
            setTags(names.slice(0, MAX_TAGS));
            void save({ tags: names.slice(0, MAX_TAGS) });
          }}
          renderInput={(params) => (
            <TextField {...params} label="Tag all with" helperText="Press Enter after each; new tags are created." />
          )}
        />
      </Box>
      <RadioCards
        legend="People you already have"
        name="existing"
        choices={existingChoices}
        value={existing}
        onChange={(next) => {
          setExisting(next);
          void save({ existing: next });
        }}
      />
      {listId && <Attestation given={options.attestation} onChange={(attestation) => void save({ attestation })} />}
    </Box>
  );
}

const consentHint = (isVerified: boolean) =>
  isVerified
    ? 'New people join as Pending, and each gets one email asking them to confirm.'
    : 'New people join as Pending. They are asked to confirm once you have verified your own address.';
