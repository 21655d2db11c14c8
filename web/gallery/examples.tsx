import { Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  ListRow,
  rowTitleClass,
  StackedRowSkeleton,
} from '#web/features/library/book-list/list-row.tsx'
import { BookLine } from '#web/ui/book-line.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChipRow, RowChip } from '#web/ui/chip-row.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { CoverCard } from '#web/ui/cover-card.tsx'
import { CoverBar } from '#web/ui/cover-marks.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { Spine, spineShelfClass } from '#web/ui/spine.tsx'
import { StatusBadge, StatusIcon } from '#web/ui/status-badge.tsx'
import { pictures } from './pictures.ts'

const longTitle =
  'The Life and Strange Surprizing Adventures of Robinson Crusoe, of York, Mariner: Who Lived Eight and Twenty Years, All Alone'

const CoverOf = (props: { title?: string; author?: string; src?: string }) => (
  <div className="w-32">
    <Cover title={props.title ?? 'Emma'} author={props.author ?? 'Jane Austen'} src={props.src} />
  </div>
)

const CardOf = (props: Partial<Parameters<typeof CoverCard>[0]>) => (
  <div className="w-40">
    <CoverCard title="Emma" author="Jane Austen" link={<Link to="/book" />} {...props} />
  </div>
)

const Row = (props: { title: string; state?: ReactNode; end?: ReactNode }) => (
  <ul>
    <ListRow
      cover={<Cover title={props.title} author="Jane Austen" alt="" />}
      state={props.state}
      end={props.end}
    >
      <h3 className={rowTitleClass}>
        <bdi>{props.title}</bdi>
      </h3>
      <p className="truncate text-sm text-ink-soft">
        <bdi>Jane Austen</bdi>
      </p>
    </ListRow>
  </ul>
)

function Statuses() {
  const [chosen, setChosen] = useState('All')
  return (
    <div className="flex">
      <ChipRow label="Status">
        {['All', 'Reading', 'Completed', 'Want to read', 'Paused', 'Dropped'].map((name) => (
          <RowChip key={name} pressed={name === chosen} onPress={() => setChosen(name)}>
            {name}
          </RowChip>
        ))}
      </ChipRow>
    </div>
  )
}

function Sheet({ children, footer }: { children: ReactNode; footer?: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog
        title="Emma"
        description="Jane Austen"
        open={open}
        onOpenChange={setOpen}
        footer={footer}
      >
        {children}
      </Dialog>
    </>
  )
}

/** Every shared component in each of its states. */
export const examples: Record<string, Record<string, () => ReactNode>> = {
  Cover: {
    drawn: () => <CoverOf />,
    'drawn, long title': () => <CoverOf title={longTitle} author="Daniel Defoe" />,
    'drawn, Japanese': () => <CoverOf title="吾輩は猫である" author="夏目漱石" />,
    picture: () => <CoverOf src={pictures.upright} />,
    square: () => <CoverOf src={pictures.square} />,
    landscape: () => <CoverOf src={pictures.landscape} />,
    'very tall': () => <CoverOf src={pictures.tall} />,
    white: () => <CoverOf src={pictures.white} />,
    tiny: () => <CoverOf src={pictures.tiny} />,
    broken: () => <CoverOf src={pictures.broken} />,
  },
  CoverCard: {
    plain: () => <CardOf />,
    'long title': () => <CardOf title={longTitle} author="Daniel Defoe" />,
    'without an author': () => <CardOf author={undefined} />,
    'with a button': () => (
      <CardOf
        action={
          <IconButton label="Want to read">
            <Plus aria-hidden />
          </IconButton>
        }
      />
    ),
    'being read': () => (
      <CardOf status="reading" footer={<CoverBar percent={40} status="reading" />} />
    ),
    finished: () => <CardOf status="completed" footer={<Rating value={9} />} />,
  },
  Row: {
    plain: () => <Row title="Emma" />,
    'long title': () => <Row title={longTitle} />,
    finished: () => (
      <Row
        title="Emma"
        state={
          <span className="flex items-center gap-1.5">
            <StatusIcon status="completed" />
            <Rating isCompact value={9} />
          </span>
        }
      />
    ),
    'with its next step': () => (
      <Row title="Emma" state={<StatusBadge status="planning" />} end={<Button>Start</Button>} />
    ),
    'in one line': () => (
      <div className="flex max-w-md items-center gap-3">
        <BookLine title="Emma" authors={['Jane Austen']} images={[]} year="1815" />
      </div>
    ),
    'on its way': () => <StackedRowSkeleton />,
  },
  Spines: {
    'on a board': () => (
      <ul className={`${spineShelfClass} overflow-hidden pb-2`}>
        <Spine title="Emma" author="Jane Austen" pages={474} link={<Link to="/book" />} />
        <Spine title={longTitle} author="Daniel Defoe" pages={320} link={<Link to="/book" />} />
        <Spine title="吾輩は猫である" author="夏目漱石" pages={90} link={<Link to="/book" />} />
        <Spine title="Middlemarch" pages={880} link={<Link to="/book" />} />
      </ul>
    ),
  },
  EmptyState: {
    'with a sentence': () => <EmptyState>No books here yet.</EmptyState>,
    'with all it can have': () => (
      <EmptyState title="Nothing read yet" action={<Button>Find a book</Button>}>
        What you read appears here.
      </EmptyState>
    ),
    'nothing found': () => <EmptyState>No book matches.</EmptyState>,
    'gone wrong': () => <ErrorState title="Books error" message="The server didn’t answer." />,
  },
  Chips: {
    'a row of statuses': () => <Statuses />,
    'a filter': () => <Chip onPress={() => undefined}>Unrated</Chip>,
    'a filter in force': () => (
      <Chip pressed onPress={() => undefined}>
        Unrated
      </Chip>
    ),
    'a filter to remove': () => (
      <Chip onRemove={() => undefined} removeLabel="Remove Unrated">
        Unrated
      </Chip>
    ),
  },
  Sheet: {
    'with buttons': () => (
      <Sheet footer={<Button variant="primary">Save</Button>}>
        <p>Where are you in this book?</p>
      </Sheet>
    ),
    'with more than fits': () => (
      <Sheet>
        {Array.from({ length: 40 }, (_, line) => (
          <p key={line}>Line {line + 1}</p>
        ))}
      </Sheet>
    ),
  },
}
