import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { client } from '../../../api/client';
import { plural } from '../../../lib/format';
import { useDebounced } from '../../../lib/use-debounced';
import type { AdminList } from '../api';

export type PickedList = Pick<AdminList, 'id' | 'name'> & Partial<AdminList>;

/** Chooses one of all users' lists by a part of its name. */
export function ListFilter({
  value,
  onChange,
}: {
  value: PickedList | null;
  onChange: (list: PickedList | null) => void;
}) {
  const [text, setText] = useState(value?.name ?? '');
  const { data = [], isFetching } = client.useFindListsQuery({
    search: useDebounced(text === value?.name ? '' : text).trim(),
  });
  return (
    <Autocomplete<PickedList>
      options={data}
      value={value}
      onChange={(_event, list) => onChange(list)}
      inputValue={text}
      onInputChange={(_event, typed) => setText(typed)}
      getOptionLabel={(list) => list.name}
      getOptionKey={(list) => list.id}
      isOptionEqualToValue={(a, b) => a.id === b.id}
      filterOptions={(found) => found}
      loading={isFetching}
      noOptionsText="No such list"
      renderOption={({ key: _key, ...props }, list) => (
        <li {...props} key={list.id}>
          <span>
            {list.name}
            <Typography component="span" variant="caption" color="textSecondary" sx={{ display: 'block' }}>
              {list.ownerEmail ?? 'shared with all users'}, {plural(list.contactCount ?? 0, 'contact')}
            </Typography>
          </span>
        </li>
      )}
      renderInput={(params) => (
        <TextField
          {...params}
          placeholder="All lists"
          slotProps={{ ...params.slotProps, htmlInput: { ...params.slotProps.htmlInput, 'aria-label': 'List' } }}
        />
      )}
    />
  );
}
