// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Moves ether on by internal calls, as the withdrawal contracts of exchanges do: no transaction of the chain names the
/// one who receives it, and no event tells.
contract Forwarder {
    /// Passes on what came with the call.
    function forward(address payable to) external payable {
        send(to, msg.value);
    }

    /// Passes a part on to each, keeping the rest.
    function forwardAll(address payable[] calldata to, uint256 each) external payable {
        for (uint256 i = 0; i < to.length; i++) send(to[i], each);
    }

    /// Passes it on and then undoes everything.
    function forwardAndRevert(address payable to) external payable {
        send(to, msg.value);
        revert("changed my mind");
    }

    /// Tries to pass half on in a call that is undone, swallows that failure, and passes the other half on for good.
    function forwardHalf(address payable to) external payable {
        try this.forwardAndRevert{value: msg.value / 2}(to) {} catch {}
        send(to, msg.value / 2);
    }

    /// Creates a contract that hands everything over as it destroys itself: no call carries the value.
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
