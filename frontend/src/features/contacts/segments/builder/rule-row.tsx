import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { Term } from '../filter';
import type { BuilderProps } from './builder-props';
import { MoveAndRemoveButtons } from './move-and-remove-buttons';
import { ruleFault } from './faults';
import { changeRule, emptyValue, type Rule } from './tree';
import { ValueField } from './value-field';

/** One comparison: field, operator, value. */
export function RuleRow({ rule, place, ...builder }: BuilderProps & { rule: Rule; place: string }) {
  const { tree, terms, showFaults, onChange } = builder;
  const term = terms.term(rule.field);
  const operator = terms.operator(rule);
  const found = ruleFault(rule, terms);
  const fault = found !== undefined && (showFaults || / no longer exists$/.test(found)) ? found : undefined;
  const change = (next: Parameters<typeof changeRule>[2]) => onChange(changeRule(tree, rule.id, next));
  const chooseField = (to: Term) =>
    change({ field: to.field, operator: to.operators[0]!.name, value: emptyValue(to, to.operators[0]!) });
  const chooseOperator = (name: string) => {
    const next = term?.operators.find((one) => one.name === name);
    if (!term || !next) return;
    change({ operator: name, value: next.value === operator?.value ? rule.value : emptyValue(term, next) });
  };
  return (
    <Box
      role="group"
      aria-label={`Rule ${place}`}
      data-focus={rule.id}
      sx={{
        display: 'grid',
        gap: 1,
        alignItems: 'start',
        // On a narrow screen, separates the stacked fields of one rule from the next rule.
        pb: { xs: 1, md: 0 },
        borderStyle: 'solid',
        borderWidth: { xs: '0 0 1px', md: 0 },
        borderColor: 'divider',
        gridTemplateColumns: { xs: '1fr', md: 'minmax(170px, 4fr) minmax(170px, 4fr) minmax(160px, 5fr) auto' },
      }}
    >
      <Autocomplete<Term>
        options={terms.all}
        value={term ?? null}
        autoHighlight
        groupBy={({ group }) => group}
        getOptionLabel={({ label }) => label}
        getOptionKey={({ field }) => field}
        isOptionEqualToValue={(a, b) => a.field === b.field}
        onChange={(_event, to) => to && chooseField(to)}
        renderInput={(params) => (
          <TextField
            {...params}
            label="Field"
            error={!term}
            helperText={term ? undefined : fault}
            placeholder={term ? undefined : terms.label(rule.field)}
          />
        )}
      />
      {term && (
        <TextField
          select
          label="Comparison"
          value={operator ? rule.operator : ''}
          error={!operator}
          helperText={operator ? undefined : fault}
          onChange={({ target }) => chooseOperator(target.value)}
        >
          {term.operators.map(({ name, label }) => (
            <MenuItem key={name} value={name}>
              {label}
            </MenuItem>
          ))}
        </TextField>
      )}
      <Box sx={{ minWidth: 0 }}>
        {term && operator && (
          <ValueField
            key={`${rule.field} ${rule.operator}`}
            term={term}
            terms={terms}
            kind={operator.value}
            value={rule.value}
            fault={fault}
            onChange={(value) => change({ value })}
          />
        )}
      </Box>
      {/* At the height of the controls, below their labels. */}
      <Box sx={{ pt: { md: '28px' } }}>
        <MoveAndRemoveButtons {...builder} id={rule.id} name={`rule ${place}`} />
      </Box>
    </Box>
  );
}
