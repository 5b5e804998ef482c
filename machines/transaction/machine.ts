import { actions } from './actions.ts';
import { openTransaction } from './initial.ts';
import { transactionEffects } from './setup.ts';

/**
 * One payment, from the quote until its address is no longer watched.
 *
 * The chart separates facts from consequences. Facts (chain observations, the close of the window)
 * are recorded at the root, in every state, so that no payment is ignored. Consequences are the
 * `always` transitions, guarded by the whole set of recorded facts. The same facts lead to the same
 * state in any order, unless something final (a completion, a missed deadline, a decision) lies
 * between them. A loss after the window counts only once it has lasted, so it does not matter
 * whether the replacement is reported first.
 *
 * - open.awaitingPayment   no coins seen; ends when coins are seen or the window closes
 * - open.partiallyPaid     too little seen in time; ends like awaitingPayment
 * - open.inReview          unexplained loss of coins; clock stopped; chain or merchant ends it
 * - confirming             enough seen; ends at the required depth, the deadline, or a lasting loss
 * - completed              enough confirmed, or accepted by the merchant; ends with monitoring
 * - expired.watching       the window closed short; late coins or the end of monitoring end it
 * - expired.paidLate       late coins wait for the merchant's decision
 * - failed                 coins lost, not in a block in time, or rejected; watched like expired
 * - closed…                the address is no longer watched; final
 */
export const transactionMachine = transactionEffects.extend({ actions }).createMachine({
  id: 'transaction',
  version: '1',
  options: { maxIterations: 100 },
  context: ({ input }) => openTransaction(input),
  initial: 'open',
  entry: ['watch', 'startWindowTimer', 'notifyCreated'],
  on: {
    'chain.output_seen': { actions: 'recordOutput', description: 'Coins are in the mempool.' },
    'chain.output_mined': { actions: 'recordOutput', description: 'Coins are in a block of the best chain.' },
    'chain.output_confirmed': { actions: 'recordOutput', description: 'Coins are verified at the required depth.' },
    'chain.output_dropped': { actions: 'recordOutput', description: 'Coins are no longer in a block or the mempool.' },
    'timer.window_closed': {
      guard: 'closesThisWindow',
      actions: 'closeWindow',
      description: 'The network is synced past the end of the window.',
    },
    'timer.depth_reached': {
      actions: 'requestVerification',
      description: 'The chain is high enough; verifies that the coins are still in the canonical chain.',
    },
    'timer.verification_overdue': {
      guard: 'verificationIsOverdue',
      actions: 'giveUpVerification',
      description: 'No response: verification is requested again.',
    },
  },
  always: [
    {
      guard: 'depthTimerIsStale',
      actions: 'moveDepthTimer',
      description: 'One height timer follows the next output that can reach its depth.',
    },
    { guard: 'verificationIsAnswered', actions: 'endVerification' },
    {
      guard: 'lostCoinsAreBack',
      actions: 'undoFailure',
      description: 'Coins whose loss made the payment fail are found again.',
    },
  ],
  states: {
    open: {
      initial: 'awaitingPayment',
      meta: { publicStatus: 'pending', waitsFor: 'the customer' },
      description: 'The customer has an address and a locked quote.',
      on: {
        'chain.balance_dropped': {
          target: '.inReview',
          actions: ['startReview', 'cancelWindowTimer', 'notifyNeedsReview'],
          description: 'Coins left the address without a known payment.',
        },
      },
      states: {
        awaitingPayment: {
          description: 'Nothing has arrived in time.',
          entry: 'touch',
          always: [
            { guard: 'coversDueInTime', target: '#transaction.confirming' },
            { guard: 'windowIsClosed', target: '#transaction.expired', actions: 'notifyExpired' },
            { guard: 'hasSomethingInTime', target: 'partiallyPaid' },
          ],
        },
        partiallyPaid: {
          description: 'Some coins arrived in time, but less than is due. The same address accepts the rest.',
          meta: { publicStatus: 'partial' },
          entry: ['touch', 'notifyPartial'],
          always: [
            { guard: 'coversDueInTime', target: '#transaction.confirming' },
            { guard: 'windowIsClosed', target: '#transaction.expired', actions: 'notifyExpired' },
            { guard: 'hasNothingInTime', target: 'awaitingPayment' },
            { guard: 'partialSumIsNew', actions: ['touch', 'notifyPartial'], description: 'The sum changed.' },
          ],
        },
        inReview: {
          description: 'The balance dropped for an unknown reason. The clock is stopped.',
          meta: { exception: 'needs_review', waitsFor: 'the merchant' },
          entry: 'touch',
          exit: 'endReview',
          always: {
            guard: 'missingPaymentFound',
            target: 'awaitingPayment',
            actions: ['extendWindow', 'startWindowTimer'],
            description: 'The missing payment is on the chain: the normal flow continues.',
          },
          on: {
            'chain.balance_dropped': {
              actions: ['addToReview', 'touch'],
              description: 'More is missing: what explained the first drop alone does not end the review.',
            },
            'timer.window_closed': { description: 'The clock is stopped.' },
            'merchant.confirmed': { target: '#transaction.completed', actions: 'completeByMerchant' },
            'merchant.rejected': { target: '#transaction.failed', actions: 'failByMerchant' },
          },
        },
      },
    },
    confirming: {
      description: 'The full amount was seen in time. It must be confirmed before the deadline.',
      meta: { publicStatus: 'awaiting_confirmation', waitsFor: 'confirmations' },
      entry: ['touch', 'notifyPending'],
      exit: ['cancelDeadlineTimer', 'cancelLossTimer'],
      always: [
        { guard: 'neverCoveredInTime', target: 'open', description: 'The coins were first seen after the window.' },
        { guard: 'confirmedCoversDue', target: 'completed', actions: 'completeByChain' },
        { guard: 'fellShortInWindow', target: 'open', description: 'Coins vanished inside the window.' },
        {
          guard: 'lossesChanged',
          actions: 'recordLosses',
          description: 'Coins have vanished or returned: each loss has its own timeout.',
        },
        {
          guard: 'lossTimerIsStale',
          actions: 'moveLossTimer',
          description: 'Coins vanished after the window, or were made up for. They may return or be replaced.',
        },
        { guard: 'deadlineMoved', actions: 'moveDeadlineTimer', description: 'Other coins are needed now.' },
      ],
      on: {
        'timer.confirmation_deadline_passed': {
          guard: 'deadlineIsCurrent',
          target: 'failed',
          actions: 'failByDeadline',
          description: 'Required coins are in no block.',
        },
        'timer.loss_settled': [
          {
            guard: 'everythingIsLost',
            target: 'failed',
            actions: ['closeWindow', 'failByLoss'],
            description: 'The coins did not return. The network is synced past the window by then.',
          },
          {
            guard: 'somethingIsLeft',
            target: 'expired',
            actions: ['closeWindow', 'cancelWindowTimer', 'notifyExpired'],
          },
        ],
      },
    },
    completed: {
      description: 'Paid. Further coins are recorded and notified. An alert is raised if coins disappear.',
      meta: { publicStatus: 'completed', waitsFor: 'the end of monitoring' },
      entry: ['touch', 'cancelWindowTimer', 'startMonitoringTimer', 'notifyCompleted'],
      always: [
        { guard: 'overpaymentIsNew', actions: ['touch', 'notifyOverpaid'] },
        { guard: 'settledCoinsAreGone', actions: 'alertLostCoins', description: 'A deep reorg removed the coins.' },
        { guard: 'settledCoinsAreBack', actions: 'endLossAlert' },
      ],
      on: {
        'timer.monitoring_ended': { guard: 'monitoringIsOver', target: 'closedCompleted' },
        'merchant.settled': {
          actions: 'addSettledSum',
          description: 'A surplus that a user has dealt with does not pay. A loss is made up for.',
        },
      },
    },
    expired: {
      initial: 'watching',
      meta: { publicStatus: 'expired' },
      description: 'The window closed before enough coins arrived.',
      entry: 'touch',
      states: {
        watching: {
          description: 'The address is watched for 30 days after the window.',
          meta: { waitsFor: 'late coins' },
          entry: ['touch', 'startMonitoringTimer'],
          exit: 'cancelMonitoringTimer',
          always: [
            {
              guard: 'coversDueInTime',
              target: '#transaction.confirming',
              description: 'Coins sent in time were found after the close: they do not count as late.',
            },
            { guard: 'hasLateCoins', target: 'paidLate' },
          ],
          on: {
            'timer.monitoring_ended': { guard: 'monitoringIsOver', target: '#transaction.closedExpired' },
            'merchant.settled': {
              actions: 'declineSettledCoins',
              description: 'Coins that a user has dealt with pay nothing any more.',
            },
          },
        },
        paidLate: {
          description: 'Paid late. Waiting for the merchant’s decision.',
          meta: { exception: 'paid_late', waitsFor: 'the merchant' },
          entry: ['touch', 'notifyPaidLateOnce'],
          always: [
            { guard: 'coversDueInTime', target: '#transaction.confirming' },
            { guard: 'lateCoinsVanished', target: 'watching' },
          ],
          on: {
            'merchant.marked_paid': { target: '#transaction.completed', actions: 'completeByMerchant' },
            'merchant.dismissed': { target: 'watching', actions: 'acknowledgeLateCoins' },
          },
        },
      },
    },
    failed: {
      description: 'The coins were lost, were not confirmed in time, or were rejected by the merchant.',
      meta: { publicStatus: 'failed', waitsFor: 'late coins' },
      entry: ['touch', 'cancelWindowTimer', 'startMonitoringTimer', 'notifyFailed'],
      exit: 'cancelMonitoringTimer',
      always: [
        {
          guard: 'coversDueInTime',
          target: 'confirming',
          description: 'Lost coins that had arrived in time are found again.',
        },
        { guard: 'lostCoinsAreBack', target: 'expired', actions: 'notifyExpired' },
        { guard: 'hasLateCoins', target: 'expired.paidLate', description: 'Coins arrived after all.' },
      ],
      on: {
        'timer.monitoring_ended': { guard: 'monitoringIsOver', target: 'closedFailed' },
        'merchant.settled': {
          actions: 'declineSettledCoins',
          description: 'Coins that a user has dealt with pay nothing any more.',
        },
      },
    },
    closedCompleted: {
      type: 'final',
      description: 'Paid, and the address is no longer watched.',
      meta: { publicStatus: 'completed' },
      entry: ['touch', 'unwatch'],
    },
    closedExpired: {
      type: 'final',
      description: 'Expired, and the address is no longer watched.',
      meta: { publicStatus: 'expired' },
      entry: ['touch', 'unwatch'],
    },
    closedFailed: {
      type: 'final',
      description: 'Failed, and the address is no longer watched.',
      meta: { publicStatus: 'failed' },
      entry: ['touch', 'unwatch'],
    },
  },
});
