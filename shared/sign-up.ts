/** Who can sign up: everybody, people with an invitation, or nobody. */
export const signUpModes = ['open', 'invitation', 'closed'] as const
export type SignUps = (typeof signUpModes)[number]

/** The parameter for the key, in an invitation's link and in the body of a sign-up. */
export const invitationParameter = 'invitation'
