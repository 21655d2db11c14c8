/** Who can sign up: everybody, people with an invitation, or nobody. */
export const signUpModes = ['open', 'invitation', 'closed'] as const
export type SignUps = (typeof signUpModes)[number]

export const signUpMessages = {
  closed: 'New accounts can’t be created on this site.',
  uninvited: 'You need an invitation to create an account on this site.',
  spent:
    'This invitation was already used or withdrawn, or it has expired. Ask the administrator of this site for a new one.',
} as const

/** The parameter for the key, in an invitation's link and in the body of a sign-up. */
export const invitationParameter = 'invitation'
