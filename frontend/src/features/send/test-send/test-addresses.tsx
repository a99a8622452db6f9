import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { errorMessage } from '../../../api/api-error';
import { client } from '../../../api/client';
import { IconX } from '../../../ui/icons';
import { SectionError } from '../../../ui/loading/section-error';
import { LoadingRegion } from '../../../ui/loading/skeletons';
import { StatusBadge } from '../../../ui/status-badge';
import type { Tester, useTesters } from './api';
import { testMessages } from './messages';

const MAX_ADDRESSES = 5;

interface TestAddressesProps {
  own: string;
  query: ReturnType<typeof useTesters>;
  /** The ticked addresses. */
  on: readonly string[];
  onToggle: (address: string, isOn: boolean) => void;
  typed: string;
  onType: (text: string) => void;
  disabled: boolean;
}

/** The user's own address and the testers, each with a checkbox, and a field that adds a tester. */
export function TestAddresses({ own, query, on, onToggle, ...rest }: TestAddressesProps) {
  const { data, error, isFetching, refetch } = query;
  const [failure, setFailure] = useState<string>();
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0 }}>
      <Typography component="legend" variant="subtitle2" sx={{ p: 0, mb: 0.5, fontWeight: 580 }}>
        Send to
      </Typography>
      <Row label={own} checked={on.includes(own)} disabled={rest.disabled} onToggle={(isOn) => onToggle(own, isOn)} />
      {data?.map((tester) => (
        <TesterRow
          key={tester.id}
          tester={tester}
          isOn={on.includes(tester.address)}
          disabled={rest.disabled}
          onToggle={onToggle}
          onFailure={setFailure}
        />
      ))}
      {!data && !error && (
        <LoadingRegion label="Loading your testers">
          <Skeleton width="60%" height={36} />
        </LoadingRegion>
      )}
      {error && !data && (
        <SectionError message={testMessages.testersFailed} pending={isFetching} onRetry={() => void refetch()} />
      )}
      <AddTester
        {...rest}
        isFull={(data?.length ?? 0) >= MAX_ADDRESSES}
        failure={failure}
        onFailure={setFailure}
        onAdded={(address) => onToggle(address, true)}
      />
    </Box>
  );
}

function Row({
  label,
  checked,
  disabled,
  onToggle,
  children,
}: {
  label: string;
  checked: boolean;
  disabled: boolean;
  onToggle: (isOn: boolean) => void;
  children?: ReactNode;
}) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', columnGap: 1 }}>
      <FormControlLabel
        control={<Checkbox size="small" checked={checked} onChange={(_event, isOn) => onToggle(isOn)} />}
        label={label}
        disabled={disabled}
        sx={{ mr: 'auto', minWidth: 0, overflowWrap: 'anywhere' }}
      />
      {children}
    </Box>
  );
}

function TesterRow({
  tester: { id, address, state },
  isOn,
  disabled,
  onToggle,
  onFailure,
}: {
  tester: Tester;
  isOn: boolean;
  disabled: boolean;
  onToggle: TestAddressesProps['onToggle'];
  onFailure: (text?: string) => void;
}) {
  const [remove, { isLoading }] = client.useRemoveTesterMutation();
  const isConfirmed = state === 'confirmed';
  return (
    <Row
      label={address}
      checked={isConfirmed && isOn}
      disabled={disabled || !isConfirmed}
      onToggle={(next) => onToggle(address, next)}
    >
      <StatusBadge
        status={isConfirmed ? 'sent' : 'pending'}
        word={isConfirmed ? 'Confirmed' : 'Waiting for confirmation'}
      />
      <IconButton
        size="small"
        aria-label={`Remove ${address}`}
        loading={isLoading}
        disabled={disabled}
        onClick={() => {
          onFailure(undefined);
          remove({ id })
            .unwrap()
            .catch((fault: unknown) => onFailure(errorMessage(fault, testMessages.removeFailed)));
        }}
      >
        <IconX size={16} aria-hidden />
      </IconButton>
    </Row>
  );
}

function AddTester({
  typed,
  onType,
  disabled,
  isFull,
  failure,
  onFailure,
  onAdded,
}: Pick<TestAddressesProps, 'typed' | 'onType' | 'disabled'> & {
  isFull: boolean;
  failure?: string;
  onFailure: (text?: string) => void;
  onAdded: (address: string) => void;
}) {
  const [add, { isLoading }] = client.useAddTesterMutation();
  const input = useRef<HTMLInputElement>(null);
  const submit = () => {
    if (isLoading || typed.trim() === '') return;
    onFailure(undefined);
    add({ addTesterDto: { address: typed.trim() } })
      .unwrap()
      .then(
        ({ address }) => {
          onType('');
          onAdded(address);
        },
        (fault: unknown) => onFailure(errorMessage(fault, testMessages.addFailed)),
      )
      .finally(() => input.current?.focus());
  };
  // Without this, Enter would send the test instead of adding the tester.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    submit();
  };
  return (
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-start', mt: 1.5 }}>
      <TextField
        fullWidth
        size="small"
        type="email"
        label="Add a tester"
        value={typed}
        disabled={disabled}
        error={failure !== undefined}
        helperText={failure ?? (isFull ? testMessages.full : testMessages.addHint)}
        onChange={({ target }) => {
          onFailure(undefined);
          onType(target.value);
        }}
        inputRef={input}
        slotProps={{
          htmlInput: { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, onKeyDown },
          formHelperText: { role: 'status' },
        }}
      />
      <Button
        variant="outlined"
        color="inherit"
        loading={isLoading}
        disabled={disabled || typed.trim() === ''}
        onClick={submit}
        sx={{ flexShrink: 0, height: 40 }}
      >
        Add
      </Button>
    </Box>
  );
}
