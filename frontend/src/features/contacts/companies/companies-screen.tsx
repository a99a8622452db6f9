import { useMemo, useState } from 'react';
import { client } from '../../../api/client';
import { FilterBar, GridFilter } from '../../../ui/grid/filter-bar';
import { ServerDataGrid } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconJob, IconSearch } from '../../../ui/icons';
import { DeleteDialog } from '../../../ui/dialog/delete-dialog';
import { EmptyState } from '../../../ui/loading/empty-state';
import { Page, PageHeader, useNarrow } from '../../../ui/page/page';
import { ContactsTabs } from '../contacts-tabs';
import { RuleDialog } from '../do-not-send/rule-dialog';
import { CompanyDialog } from './company-dialog';
import { companyColumns } from './company-columns';
import { kindChoices, kinds, messages, type Company } from './companies';

const kindFilter = [{ value: '' as const, label: 'Any kind' }, ...kindChoices];

/** The companies of the account's contacts. */
export function CompaniesScreen() {
  return (
    <Page>
      <PageHeader title="Companies" description="Where your contacts work, by the domain of their addresses." />
      <ContactsTabs />
      <CompaniesGrid />
    </Page>
  );
}

function CompaniesGrid() {
  const grid = useServerGrid({ filters: { kind: ['', ...kinds] } });
  const { kind } = grid.filters;
  const query = client.useListCompaniesQuery({ ...grid.args, ...(kind && { kind }) });
  const [dialog, setDialog] = useState<{ kind: 'edit' | 'block' | 'allow'; company: Company }>();
  const [allow] = client.useDeleteDoNotSendMutation();
  const close = () => setDialog(undefined);
  const narrow = useNarrow();
  const columns = useMemo(() => {
    const show = (kind: 'edit' | 'block' | 'allow') => (company: Company) => setDialog({ kind, company });
    return companyColumns({ narrow, onEdit: show('edit'), onBlock: show('block'), onAllow: show('allow') });
  }, [narrow]);
  const isFiltered = Boolean(grid.search || kind);
  const company = dialog?.company;
  return (
    <>
      <ServerDataGrid<Company>
        label="companies"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        columns={columns}
        getRowId={({ domain }) => domain}
        stackedHeight={80}
        toolbar={
          <FilterBar label="Search domains and names..." grid={grid}>
            <GridFilter grid={grid} name="kind" label="Kind" choices={kindFilter} />
          </FilterBar>
        }
        empty={
          isFiltered ? (
            <EmptyState dense icon={IconSearch} title={messages.noMatch} />
          ) : (
            <EmptyState icon={IconJob} title={messages.none} text={messages.noneText} />
          )
        }
      />
      {dialog?.kind === 'edit' && company && <CompanyDialog company={company} onClose={close} />}
      {dialog?.kind === 'block' && company && (
        <RuleDialog title={`Never send to ${company.domain}`} values={[company.domain]} onClose={close} />
      )}
      {dialog?.kind === 'allow' && company?.doNotSendId && (
        <DeleteDialog
          title={`Send to ${company.domain} again?`}
          confirmLabel="Delete rule"
          onDelete={() => allow({ id: company.doNotSendId! }).unwrap()}
          onClose={close}
        >
          From the next email on, you send there again to whoever agreed to it.
        </DeleteDialog>
      )}
    </>
  );
}
