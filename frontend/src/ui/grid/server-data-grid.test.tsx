import { describe, expect, it, jest } from '@jest/globals';
import { useState } from 'react';
import { act, screen } from '@testing-library/react';
import { renderPiece } from '../../../test/render';
import { screenWidth } from '../../../test/setup';
import { SearchField } from '../form/search-field';
import { ServerDataGrid, type PageQuery } from './server-data-grid';
import { useServerGrid, type PageArgs } from './use-server-grid';

const TOTAL_ROWS = 60;
interface Row {
  id: string;
  email: string;
}

/** A fake paged call whose cursor is the number of preceding rows. */
function answer({ limit, cursor }: PageArgs, total = TOTAL_ROWS) {
  const from = Number(cursor ?? 0);
  const rows = Array.from({ length: Math.min(limit, total - from) }, (_, i): Row => ({
    id: `${from + i}`,
    email: `person${from + i}@vendor.example`,
  }));
  return { rows, total, next: from + limit < total ? String(from + limit) : null };
}

function People({ asked }: { asked: PageArgs[] }) {
  const grid = useServerGrid();
  asked.push(grid.args);
  return (
    <ServerDataGrid<Row>
      label="people"
      grid={grid}
      query={{ data: answer(grid.args), isFetching: false, refetch: () => undefined }}
      failedText="The people could not be loaded."
      columns={[{ field: 'email', headerName: 'Email', width: 300 }]}
      toolbar={<SearchField label="Search people..." value={grid.search} onSearch={grid.setSearch} />}
      empty={<p>Nobody</p>}
    />
  );
}

function Shrinking() {
  const grid = useServerGrid();
  const [total, setTotal] = useState(51);
  return (
    <>
      <button onClick={() => setTotal(total - 1)}>Remove one</button>
      <ServerDataGrid<Row>
        label="people"
        grid={grid}
        query={{ data: answer(grid.args, total), isFetching: false, refetch: () => undefined }}
        failedText="The people could not be loaded."
        columns={[{ field: 'email', headerName: 'Email', width: 300 }]}
        empty={<p>Nobody</p>}
      />
    </>
  );
}

function Shown({ query, onSelect }: { query: PageQuery<Row>; onSelect?: (ids: string[]) => void }) {
  return (
    <ServerDataGrid<Row>
      label="people"
      grid={useServerGrid()}
      query={query}
      failedText="The people could not be loaded."
      columns={[]}
      empty={<p>Nobody</p>}
      selection={onSelect && { ids: [], onChange: onSelect }}
    />
  );
}

function open() {
  const asked: PageArgs[] = [];
  return { asked, last: () => asked.at(-1), ...renderPiece(<People asked={asked} />) };
}

describe('a grid with rows on the server', () => {
  it('can be sorted on a phone too, where no header is shown', async () => {
    screenWidth(390);
    const { user, last } = open();
    await user.click(screen.getByRole('combobox', { name: 'Order of people' }));
    await user.click(await screen.findByRole('option', { name: 'Email, descending' }));
    expect(last()).toEqual({ limit: 25, sort: '-email' });
  });

  it('moves the focus no higher than the first row on a phone, because the headers are hidden', async () => {
    screenWidth(390);
    const { user } = open();
    const cell = (email: string) => screen.getByRole('gridcell', { name: email });
    await user.click(cell('person1@vendor.example'));
    await user.keyboard('{ArrowUp}');
    expect(cell('person0@vendor.example')).toHaveFocus();
    await user.keyboard('{ArrowUp}');
    expect(cell('person0@vendor.example')).toHaveFocus();
  });

  it('loads the next page by the cursor of the last one, and goes back by the stored one', async () => {
    const { user, last } = open();
    expect(last()).toEqual({ limit: 25 });
    expect(screen.getByText('1–25 of 60')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(last()).toEqual({ limit: 25, cursor: '25' });
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(last()).toEqual({ limit: 25, cursor: '50' });
    expect(screen.getByText('51–60 of 60')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next page' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Previous page' }));
    expect(last()).toEqual({ limit: 25, cursor: '25' });
    await user.click(screen.getByRole('button', { name: 'Previous page' }));
    expect(last()).toEqual({ limit: 25 });
  });

  it('says that there are more rows than were counted, and goes to the next page', async () => {
    renderPiece(
      <Shown
        query={{
          data: { ...answer({ limit: 25 }, 10_000), isTotalCapped: true },
          isFetching: false,
          refetch: () => undefined,
        }}
      />,
    );
    expect(await screen.findByText('1–25 of 10,000+')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next page' })).toBeEnabled();
  });

  it("moves the focus at the last page's end, and at the first page's start, to the button that goes back", async () => {
    const { user } = open();
    const [previous, next] = ['Previous page', 'Next page'].map((name) => screen.getByRole('button', { name })) as [
      HTMLElement,
      HTMLElement,
    ];
    await user.click(next);
    expect(next).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(previous).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(previous).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(next).toHaveFocus();
  });

  it('starts over when the page size, the order or the search changes', async () => {
    const { user, last } = open();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.click(screen.getByRole('combobox', { name: 'Rows on a page' }));
    await user.click(await screen.findByRole('option', { name: '50 rows' }));
    expect(last()).toEqual({ limit: 50 });
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.click(screen.getByRole('columnheader', { name: 'Email' }));
    expect(last()).toEqual({ limit: 50, sort: 'email' });
    await user.click(screen.getByRole('columnheader', { name: 'Email' }));
    expect(last()).toEqual({ limit: 50, sort: '-email' });
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.type(screen.getByRole('searchbox', { name: 'Search people...' }), 'ana');
    await screen.findByText('1–50 of 60');
    expect(last()).toEqual({ limit: 50, sort: '-email', search: 'ana' });
  });

  it('shows the page before when the last row of the last page was removed', async () => {
    const { user } = renderPiece(<Shrinking />);
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(screen.getByText('51–51 of 51')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Remove one' }));
    expect(await screen.findByText('26–50 of 50')).toBeVisible();
    expect(screen.queryByText('Nobody')).not.toBeInTheDocument();
  });

  it('lets Back leave the screen after an emptied last page was replaced by the page before', async () => {
    const { user, router } = renderPiece(<Shrinking />, '/lists');
    await act(() => router.navigate('/people'));
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.click(screen.getByRole('button', { name: 'Remove one' }));
    expect(await screen.findByText('26–50 of 50')).toBeVisible();
    await act(() => router.navigate(-1));
    expect(await screen.findByText('26–50 of 50')).toBeVisible();
    await act(() => router.navigate(-1));
    expect(await screen.findByText('1–25 of 50')).toBeVisible();
    await act(() => router.navigate(-1));
    expect(router.state.location.pathname).toBe('/lists');
  });

  it('announces its rows when a page was chosen, and not whenever their number changes', async () => {
    const { user } = renderPiece(<Shrinking />);
    const shown = screen.getByText('1–25 of 51');
    expect(shown.closest('[aria-live], [role=status]')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    const status = () => screen.getByText(/^Showing/);
    expect(status()).toHaveTextContent('Showing 26–50 of 51');
    expect(status().closest('[role=status]')).not.toBeNull();
    await user.click(screen.getByRole('button', { name: 'Remove one' }));
    expect(await screen.findByText('26–50 of 50')).toBeVisible();
    expect(status()).toHaveTextContent('Showing 26–50 of 51');
  });

  it('allows selecting only when the rows of the present page are loaded', async () => {
    const onSelect = jest.fn<(ids: string[]) => void>();
    const all = () => screen.getByRole('checkbox', { name: 'Select all rows' });
    const refetch = () => undefined;
    const data = answer({ limit: 2 });
    const waiting: PageQuery<Row>[] = [
      { isFetching: true, refetch },
      // While the current page loads, the query still returns the rows of the previous one.
      { data, currentData: undefined, isFetching: true, refetch },
    ];
    for (const query of waiting) {
      const { unmount } = renderPiece(<Shown onSelect={onSelect} query={query} />);
      expect(all()).toBeDisabled();
      unmount();
    }
    const { user } = renderPiece(
      <Shown onSelect={onSelect} query={{ data, currentData: data, isFetching: false, refetch }} />,
    );
    await user.click(all());
    expect(onSelect).toHaveBeenLastCalledWith(['0', '1']);
  });

  it("shows why a request failed, in the server's words if there are any, and offers Retry", async () => {
    const refetch = jest.fn();
    const failure = (error: unknown) => <Shown query={{ error, isFetching: false, refetch }} />;
    const { user, unmount } = renderPiece(
      failure({ status: 500, code: 'unknown', message: '', text: '', details: [] }),
    );
    expect(screen.getByText('The people could not be loaded.')).toBeVisible();
    expect(screen.queryByRole('grid')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(refetch).toHaveBeenCalledTimes(1);
    unmount();
    renderPiece(
      failure({ status: 503, code: 'closed', message: 'The desk is closed until noon', text: '', details: [] }),
    );
    expect(screen.getByText('The desk is closed until noon')).toBeVisible();
  });
});
