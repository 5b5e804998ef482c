// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Forwards ether in internal calls, as exchanges' withdrawal contracts do: no transaction names
/// the recipient, and no event is emitted.
contract Forwarder {
    /// Forwards the value of the call.
    function forward(address payable to) external payable {
        send(to, msg.value);
    }

    /// Sends `each` to every recipient and keeps the rest.
    function forwardAll(address payable[] calldata to, uint256 each) external payable {
        for (uint256 i = 0; i < to.length; i++) send(to[i], each);
    }

    /// Forwards the value and then reverts.
    function forwardAndRevert(address payable to) external payable {
        send(to, msg.value);
        revert("changed my mind");
    }

    /// Forwards half in a call that reverts, ignores that failure, and forwards the other half.
    function forwardHalf(address payable to) external payable {
        try this.forwardAndRevert{value: msg.value / 2}(to) {} catch {}
        send(to, msg.value / 2);
    }

    /// Creates a contract that sends its balance by selfdestruct: no call carries the value.
    function forwardByDestroying(address payable to) external payable {
        new Destroyed{value: msg.value}(to);
    }

    function send(address payable to, uint256 value) private {
        (bool sent, ) = to.call{value: value}("");
        require(sent, "refused");
    }

    receive() external payable {}
}

contract Destroyed {
    constructor(address payable to) payable {
        selfdestruct(to);
    }
}
