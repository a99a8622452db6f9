import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { client } from '../../../api/client';
import { useOpenInAddress } from '../../../lib/use-address';
import { FilterBar, GridFilter } from '../../../ui/grid/filter-bar';
import { ServerDataGrid } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconBan, IconDownload, IconPlus, IconSearch } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { Page, PageHeader, useNarrow } from '../../../ui/page/page';
import { ContactsTabs } from '../contacts-tabs';
import { AddRule, OwnAgencySuggestion } from './add-rule';
import { BulkRulesDialog } from './bulk-rules-dialog';
import { ruleColumns } from './rule-columns';
import { DeleteRuleDialog, EditRuleDialog } from './rule-dialogs';
import { exportUrl, messages, ruleReasonChoices, ruleReasons, type DoNotSendRule } from './rules';

const reasonFilter = [{ value: '' as const, label: 'Any reason' }, ...ruleReasonChoices];

/** The addresses and companies that the account never sends to. */
export function DoNotSendScreen() {
  const [opened, open, close] = useOpenInAddress('new');
  return (
    <Page>
      <PageHeader
        title="Do not send"
        description="Addresses and companies your emails never go to."
        action={
          <>
            <Button
              variant="outlined"
              color="inherit"
              href={exportUrl}
              download
              startIcon={<IconDownload size={16} aria-hidden />}
            >
              Export CSV
            </Button>
            <Button variant="outlined" startIcon={<IconPlus size={16} aria-hidden />} onClick={() => open('many')}>
              Add many
            </Button>
          </>
        }
      />
      <ContactsTabs />
      <AddRule />
      <RulesGrid />
      {opened === 'many' && <BulkRulesDialog onClose={close} />}
    </Page>
  );
}

function RulesGrid() {
  const grid = useServerGrid({ filters: { reason: ['', ...ruleReasons] } });
  const { reason } = grid.filters;
  const query = client.useListDoNotSendQuery({ ...grid.args, ...(reason && { reason }) });
  const [dialog, setDialog] = useState<{ kind: 'edit' | 'delete'; rule: DoNotSendRule }>();
  const close = () => setDialog(undefined);
  const narrow = useNarrow();
  const columns = useMemo(
    () =>
      ruleColumns({
        narrow,
        onEdit: (rule) => setDialog({ kind: 'edit', rule }),
        onDelete: (rule) => setDialog({ kind: 'delete', rule }),
      }),
    [narrow],
  );
  const isFiltered = Boolean(grid.search || reason);
  return (
    <>
      <ServerDataGrid<DoNotSendRule>
        label="rules"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        columns={columns}
        toolbar={
          <FilterBar label="Search addresses, domains, notes..." grid={grid}>
            <GridFilter grid={grid} name="reason" label="Filter by reason" choices={reasonFilter} />
          </FilterBar>
        }
        empty={
          isFiltered ? (
            <EmptyState dense icon={IconSearch} title={messages.noMatch} />
          ) : (
            <EmptyState icon={IconBan} title={messages.none} action={<OwnAgencySuggestion />} />
          )
        }
      />
      {dialog?.kind === 'edit' && <EditRuleDialog rule={dialog.rule} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteRuleDialog rule={dialog.rule} onClose={close} />}
    </>
  );
}
