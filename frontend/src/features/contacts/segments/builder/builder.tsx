import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import { FilterSelect } from '../../../../ui/form/filter-select';
import { IconPlus } from '../../../../ui/icons';
import { FILTER_LIMITS, type Match, matchOf } from '../filter';
import type { BuilderProps } from './builder-props';
import { MoveAndRemoveButtons } from './move-and-remove-buttons';
import { RuleRow } from './rule-row';
import { addTo, changeMatch, type Group, isBuilderGroup, newGroup, newRule, ruleCount } from './tree';

const matches: readonly { value: Match; label: string }[] = [
  { value: 'all', label: 'All of these' },
  { value: 'any', label: 'Any of these' },
  { value: 'none', label: 'None of these' },
];

/** Focuses a rule's field, or one of its buttons. If that button is disabled, the button for the other direction. */
function focusPart(root: HTMLElement | null, part: string): void {
  const find = (name: string) => root?.querySelector<HTMLElement>(`[data-focus="${name}"]`);
  const found = find(part);
  if (!(found instanceof HTMLButtonElement)) {
    const input = found?.querySelector('input');
    input?.focus();
    // Selects the text, so that typing replaces the field.
    input?.select();
  } else if (found.disabled)
    find(part.endsWith(':up') ? part.replace(/up$/, 'down') : part.replace(/down$/, 'up'))?.focus();
  else found.focus();
}

/** Edits a filter: rules and groups of up to three levels, each of which can be moved by buttons. */
export function Builder(props: Omit<BuilderProps, 'onChange'> & { onChange: (tree: Group) => void }) {
  const root = useRef<HTMLDivElement>(null);
  const focus = useRef<string | undefined>(undefined);
  const { tree, onChange } = props;
  useEffect(() => {
    if (focus.current === undefined) return;
    focusPart(root.current, focus.current);
    focus.current = undefined;
  }, [tree]);
  const change = (next: Group, id?: string) => {
    focus.current = id;
    onChange(next);
  };
  return (
    <Box ref={root}>
      <GroupBox {...props} onChange={change} group={tree} place="" depth={1} />
      {ruleCount(tree) >= FILTER_LIMITS.rules && (
        <Alert severity="info">{`A segment can have ${FILTER_LIMITS.rules} rules.`}</Alert>
      )}
    </Box>
  );
}

function GroupBox({ group, place, depth, ...builder }: BuilderProps & { group: Group; place: string; depth: number }) {
  const { tree, terms, showFaults, onChange } = builder;
  const isTop = depth === 1;
  const isFull = ruleCount(tree) >= FILTER_LIMITS.rules;
  const addRule = () => {
    const first = terms.all[0];
    if (!first) return;
    const rule = newRule(first);
    onChange(addTo(tree, group.id, rule), rule.id);
  };
  const addGroup = () => {
    const first = terms.all[0];
    if (!first) return;
    const rule = newRule(first);
    onChange(addTo(tree, group.id, newGroup([rule], matchOf(group) === 'all' ? 'any' : 'all')), rule.id);
  };
  return (
    <Box
      role="group"
      aria-label={isTop ? 'Rules' : `Group ${place}`}
      sx={isTop ? {} : { p: 1.5, border: 1, borderColor: 'divider', borderRadius: 2 }}
    >
      <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between', gap: 1, mb: 1.5 }}>
        <Box sx={{ width: 180 }}>
          <FilterSelect
            label={isTop ? 'Which rules must hold' : `Which rules of group ${place} must hold`}
            hideLabel
            value={matchOf(group)}
            choices={matches}
            onChange={(match) => onChange(changeMatch(tree, group.id, match))}
          />
        </Box>
        {!isTop && <MoveAndRemoveButtons tree={tree} onChange={onChange} id={group.id} name={`group ${place}`} />}
      </Stack>
      <Stack sx={{ gap: 2 }}>
        {group.rules.map((part, index) => {
          const name = place ? `${place}.${index + 1}` : String(index + 1);
          return isBuilderGroup(part) ? (
            <GroupBox key={part.id} {...builder} group={part} place={name} depth={depth + 1} />
          ) : (
            <RuleRow key={part.id} {...builder} rule={part} place={name} />
          );
        })}
        {group.rules.length === 0 && (
          <Typography color={showFaults ? 'error' : 'textSecondary'} role={showFaults ? 'alert' : undefined}>
            Add a rule
          </Typography>
        )}
      </Stack>
      <Stack direction="row" sx={{ gap: 1, mt: 2, flexWrap: 'wrap' }}>
        <AddButton label="Add rule" disabled={isFull} onClick={addRule} />
        {depth < FILTER_LIMITS.depth && <AddButton label="Add group" disabled={isFull} onClick={addGroup} />}
      </Stack>
    </Box>
  );
}

function AddButton({ label, disabled, onClick }: { label: string; disabled: boolean; onClick: () => void }) {
  return (
    <Button
      size="small"
      variant="outlined"
      color="inherit"
      startIcon={<IconPlus size={15} aria-hidden />}
      disabled={disabled}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}
