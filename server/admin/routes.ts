import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { ApiError, clientNetwork, type Database } from '#records/index.ts'
import {
  createInvitation,
  listInvitations,
  revokeInvitation,
} from '#server/accounts/invitations.ts'
import { accountOf, type LibraryRecords } from '#server/collections/stored.ts'
import { sendTestMail } from '#server/health/test-mail.ts'
import { apiRouter, emptyResponses, okResponses } from '#server/http/api.ts'
import { access, type Refusal } from '#server/http/openapi.ts'
import {
  closeReport,
  findReport,
  listOpenReports,
  setProfileHidden,
  type Report,
} from '#server/moderation/reports.ts'
import { deleteReader, resetLink, signOut } from '#server/readers/change-reader.ts'
import { lookUpReader, searchReaders, type Reader } from '#server/readers/find.ts'
import { failureMessage } from '#server/runtime/failure.ts'
import type { Config } from '#server/settings/config.ts'
import {
  adminPageForm,
  adminReadersForm,
  confirmationForm,
  invitationForm,
} from '#shared/admin-form.ts'
import type { AdminAct, AdminReader, AdminReport } from '#shared/admin.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { invitationParameter } from '#shared/sign-up.ts'
import {
  administratorsOnly,
  confirmedOnly,
  confirmedUntil,
  type AdminEnv,
} from './administrators-only.ts'
import { check, invitation, jobs, logEntry, page, reader, report, site, until } from './answers.ts'
import { addEntry, listLog, logged } from './log.ts'
import { readJobs, readSite, siteChecks } from './site.ts'

const { administrators } = access

/** A route that reads. */
const reads = <Data extends z.ZodType, Path extends string>(
  path: Path,
  summary: string,
  data: Data,
) =>
  createRoute({
    method: 'get',
    path,
    summary,
    ...administrators,
    responses: okResponses('For administrators', data),
  })

const readersRoute = createRoute({
  method: 'get',
  path: '/admin/readers',
  summary: 'The readers of the site, with numbers of what they have',
  ...administrators,
  request: { query: adminReadersForm },
  responses: okResponses('One page', page(reader)),
})
const logRoute = createRoute({
  method: 'get',
  path: '/admin/log',
  summary: 'What administrators and the operator’s commands have done, the newest first',
  ...administrators,
  request: { query: adminPageForm },
  responses: okResponses('One page', page(logEntry)),
})
const invitationsRoute = reads(
  '/admin/invitations',
  'The open invitations',
  z.object({ items: z.array(invitation) }),
)
const reportsRoute = reads(
  '/admin/reports',
  'The open reports of profiles, the oldest first',
  z.object({ items: z.array(report) }),
)
const jobsRoute = reads('/admin/jobs', 'The imports under way, and how much other work waits', jobs)
const siteRoute = reads(
  '/admin/site',
  'The version, sign-in providers, backups and waiting emails',
  site,
)
const checksRoute = reads(
  '/admin/checks',
  'What npm run doctor finds; a mail server can take a minute to answer',
  z.object({ items: z.array(check) }),
)
const confirmationRoute = reads(
  '/admin/confirmation',
  'Until when this session can change something; empty if the password must be confirmed',
  until,
)

const confirmRoute = createRoute({
  method: 'post',
  path: '/admin/confirmation',
  summary: 'Confirms the password in this session, which can change something for 15 minutes',
  ...administrators,
  request: {
    body: { required: true, content: { 'application/json': { schema: confirmationForm } } },
  },
  responses: okResponses('It was right', until, 401),
})

const unconfirmed = {
  403: {
    description:
      'The password was not confirmed in this session in the last 15 minutes; where readers have no passwords, the session began before that',
  },
}
const ofReader = { params: z.object({ username: z.string() }) }
const ofId = { params: z.object({ id: z.string() }) }

/** A route that acts and answers with nothing. */
const acts = <Path extends string, Request extends object>(
  method: 'post' | 'delete',
  path: Path,
  summary: string,
  request: Request,
  ...refusals: Refusal[]
) =>
  createRoute({
    method,
    path,
    summary,
    ...administrators,
    request,
    responses: { ...emptyResponses('Done', ...refusals), ...unconfirmed },
  })

const resetLinkRoute = createRoute({
  method: 'post',
  path: '/admin/readers/{username}/reset-link',
  summary: 'Makes a link to set a new password, to hand over; signing in still takes a code',
  ...administrators,
  request: ofReader,
  responses: {
    ...okResponses('It works once', z.object({ link: z.string(), expires: z.string() }), 409),
    ...unconfirmed,
  },
})
const signOutRoute = acts(
  'post',
  '/admin/readers/{username}/sign-out',
  'Ends all sessions of a reader, and the trust in all devices',
  ofReader,
)
const hideRoute = acts(
  'post',
  '/admin/readers/{username}/hide',
  'Hides a profile from everybody but its owner',
  ofReader,
)
const unhideRoute = acts(
  'post',
  '/admin/readers/{username}/unhide',
  'Shows a hidden profile again, as far as its owner allows',
  ofReader,
)
const deleteRoute = acts(
  'delete',
  '/admin/readers/{username}',
  'Deletes an account and everything in it',
  ofReader,
  409,
)
const closeRoute = acts('post', '/admin/reports/{id}/close', 'Closes a report', ofId)
const uninviteRoute = acts('delete', '/admin/invitations/{id}', 'Withdraws an invitation', ofId)
const inviteRoute = createRoute({
  method: 'post',
  path: '/admin/invitations',
  summary: 'Makes a link that lets one person sign up',
  ...administrators,
  request: {
    body: { required: true, content: { 'application/json': { schema: invitationForm } } },
  },
  responses: {
    ...okResponses('Only this answer has the link', invitation.extend({ link: z.string() })),
    ...unconfirmed,
  },
})
const testMailRoute = createRoute({
  method: 'post',
  path: '/admin/test-mail',
  summary: 'Sends a test email to the administrator who asks',
  ...administrators,
  responses: {
    ...okResponses(
      'The mail server’s own words if it could not be sent, else empty',
      z.object({ to: z.string(), failure: z.string() }),
      409,
    ),
    ...unconfirmed,
  },
})

interface AdminDeps {
  config: Config
  database: Database
  records: LibraryRecords
  /** Where a request comes from. */
  addressOf: (c: Context) => string
  now?: (() => Date) | undefined
}

/** The routes of the administrator's page; mounted at /api/v1. */
export function adminRoutes(deps: AdminDeps): OpenAPIHono<AdminEnv> {
  const { config, database, records, addressOf, now = () => new Date() } = deps
  const runSiteChecks = siteChecks(database, config)
  const { middleware, ...act } = actTools(deps, now)
  const router = apiRouter() as unknown as OpenAPIHono<AdminEnv>
  router.use('/admin/*', administratorsOnly(records))
  router
    .openapi(readersRoute, async (c) => {
      const form = c.req.valid('query')
      const { items, ...rest } = await searchReaders(
        database,
        form,
        c.get('administrator').id,
        now(),
      )
      return c.json({ data: { items: items.map(shown), ...rest } }, 200)
    })
    .openapi(invitationsRoute, async (c) => {
      const items = await listInvitations(database, now())
      return c.json({ data: { items: items.map(dated) } }, 200)
    })
    .openapi(reportsRoute, async (c) => {
      const items = await listOpenReports(database)
      return c.json({ data: { items: items.map(open) } }, 200)
    })
    .openapi(jobsRoute, async (c) => c.json({ data: { ...(await readJobs(database)) } }, 200))
    .openapi(siteRoute, async (c) =>
      c.json({ data: { ...(await readSite(database, config)) } }, 200),
    )
    .openapi(checksRoute, async (c) => c.json({ data: { items: await runSiteChecks() } }, 200))
    .openapi(logRoute, async (c) =>
      c.json({ data: await listLog(database, c.req.valid('query').page) }, 200),
    )
    .openapi(confirmationRoute, async (c) => {
      const confirmed = await records.confirmedAt(c.get('administrator'))
      const end = confirmedUntil(confirmed, now())
      return c.json({ data: { until: end?.toISOString() ?? '' } }, 200)
    })
    .openapi(confirmRoute, async (c) => {
      const viewer = c.get('administrator')
      const { password } = c.req.valid('json')
      await records.confirmPassword(viewer, password, clientNetwork(addressOf(c)))
      const end = confirmedUntil(await records.confirmedAt(viewer), now())
      return c.json({ data: { until: end?.toISOString() ?? '' } }, 200)
    })
  router
    .openapi({ ...resetLinkRoute, middleware }, async (c) => {
      const found = await act.readerOf(c.req.valid('param').username)
      refuseAdministrators(found)
      const { link, expires } = await act.log(c, 'resetLink', found.username, () =>
        resetLink(records, found, config.appUrl),
      )
      return c.json({ data: { link, expires: expires.toISOString() } }, 200)
    })
    .openapi({ ...signOutRoute, middleware }, async (c) => {
      const found = await act.readerOf(c.req.valid('param').username)
      await act.log(c, 'signOut', found.username, () => signOut(records, found))
      return c.body(null, 204)
    })
    .openapi({ ...hideRoute, middleware }, async (c) => {
      const { username } = await act.readerOf(c.req.valid('param').username)
      await act.log(c, 'hide', username, () => setProfileHidden(database, username, true))
      return c.body(null, 204)
    })
    .openapi({ ...unhideRoute, middleware }, async (c) => {
      const { username } = await act.readerOf(c.req.valid('param').username)
      await act.log(c, 'unhide', username, () => setProfileHidden(database, username, false))
      return c.body(null, 204)
    })
    .openapi({ ...deleteRoute, middleware }, async (c) => {
      const found = await act.readerOf(c.req.valid('param').username)
      refuseAdministrators(found)
      await act.log(c, 'delete', found.username, () => deleteReader(records, found))
      return c.body(null, 204)
    })
    .openapi({ ...closeRoute, middleware }, async (c) => {
      const { id } = c.req.valid('param')
      const report = await findReport(database, id)
      if (!report) throw new ApiError(404)
      await act.log(c, 'closeReport', report.reported, async () => {
        if (!(await closeReport(database, id, now()))) throw new ApiError(404)
      })
      return c.body(null, 204)
    })
    .openapi({ ...uninviteRoute, middleware }, async (c) => {
      const { id } = c.req.valid('param')
      await act.log(c, 'uninvite', id, async () => {
        if (!(await revokeInvitation(database, id, now()))) throw new ApiError(404)
      })
      return c.body(null, 204)
    })
    .openapi({ ...inviteRoute, middleware }, async (c) => {
      const { key, ...made } = await createInvitation(database, c.req.valid('json').days, now())
      await addEntry(database, { actor: actorOf(c), act: 'invite', subject: made.id }, now())
      const link = `${config.appUrl}/signup?${invitationParameter}=${key}`
      return c.json({ data: { ...dated(made), link } }, 200)
    })
    .openapi({ ...testMailRoute, middleware }, async (c) => {
      const { smtpUrl, mailFrom, dataDir } = config
      if (!smtpUrl) throw new ApiError(409, answers.noMailServer)
      const to = accountOf(c.get('administrator')).email
      const failure = await act.log(c, 'testMail', actorOf(c), () =>
        sendTestMail(smtpUrl, mailFrom, to).then(
          () => '',
          (error: unknown) => failureMessage(error, [dataDir]),
        ),
      )
      return c.json({ data: { to, failure } }, 200)
    })
  return router
}

/** What every act needs. */
function actTools({ config, database, records }: AdminDeps, now: () => Date) {
  return {
    middleware: confirmedOnly(records, config, now),
    /** @throws ApiError 404 */
    async readerOf(username: string): Promise<Reader> {
      const reader = await lookUpReader(database, username, now())
      if (!reader) throw new ApiError(404)
      return reader
    },
    log: <T>(c: Context<AdminEnv>, act: AdminAct, subject: string, work: () => Promise<T>) =>
      logged(database, { actor: actorOf(c), act, subject }, now(), work),
  }
}

const actorOf = (c: Context<AdminEnv>) => accountOf(c.get('administrator')).username

/** A stolen session must not end the other administrators' accounts, nor take one over. */
function refuseAdministrators({ isAdmin }: Reader): void {
  if (isAdmin) throw new ApiError(409, answers.administratorsAccount)
}

function shown(reader: Reader): AdminReader {
  const { username, email, name, since, seen, books, space, sessions } = reader
  const { isVerified, isPrivate, isHidden, isAdmin } = reader
  return {
    username,
    email,
    name,
    isVerified,
    since: since.toISOString(),
    seen: seen?.toISOString() ?? '',
    books,
    space,
    sessions,
    isPrivate,
    isHidden,
    isAdmin,
  }
}

const open = (report: Report): AdminReport => {
  const { id, reporter, reported, reason, details, created, isHidden } = report
  return { id, reporter, reported, reason, details, created, isHidden }
}

const dated = ({ id, created, expires }: { id: string; created: Date; expires: Date }) => ({
  id,
  created: created.toISOString(),
  expires: expires.toISOString(),
})
