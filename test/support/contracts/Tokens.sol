// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Small ERC-20 tokens for tests only: a standard one, and three deviations of real tokens that
/// affect a watcher.

/// Balances, allowances and the two events that all tokens share.
abstract contract Ledger {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    uint8 public immutable decimals;
    address public immutable owner;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(uint8 decimals_, uint256 supply) {
        decimals = decimals_;
        owner = msg.sender;
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function _move(address from, address to, uint256 value) internal virtual {
        require(balanceOf[from] >= value, "balance too small");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function _spend(address from, uint256 value) internal {
        require(allowance[from][msg.sender] >= value, "allowance too small");
        allowance[from][msg.sender] -= value;
    }

    function _approve(address spender, uint256 value) internal {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }
}

/// Follows ERC-20.
contract StandardToken is Ledger {
    constructor(uint8 decimals_, uint256 supply) Ledger(decimals_, supply) {}

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _spend(from, value);
        _move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(spender, value);
        return true;
    }
}

/// Returns nothing, as Tether's contract on Ethereum does.
contract SilentToken is Ledger {
    constructor(uint8 decimals_, uint256 supply) Ledger(decimals_, supply) {}

    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        _spend(from, value);
        _move(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        _approve(spender, value);
    }
}

/// Withholds one percent of every transfer and emits a second event for it: less arrives than sent.
contract FeeToken is Ledger {
    constructor(uint8 decimals_, uint256 supply) Ledger(decimals_, supply) {}

    function transfer(address to, uint256 value) external returns (bool) {
        uint256 fee = value / 100;
        _move(msg.sender, to, value - fee);
        _move(msg.sender, owner, fee);
        return true;
    }
}

/// Its owner can remove balances, with an event or (like a blacklist or a rebasing token) without.
contract SeizableToken is Ledger {
    bool public isBroken;

    constructor(uint8 decimals_, uint256 supply) Ledger(decimals_, supply) {}

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function burnFrom(address from, uint256 value) external {
        require(msg.sender == owner, "only the owner");
        balanceOf[from] -= value;
        totalSupply -= value;
        emit Transfer(from, address(0), value);
    }

    function seizeSilently(address from, uint256 value) external {
        require(msg.sender == owner, "only the owner");
        balanceOf[from] -= value;
        balanceOf[owner] += value;
    }
}

/// Returns `decimals`, but reverts on `balanceOf`.
contract BrokenToken {
    uint8 public constant decimals = 18;

    function balanceOf(address) external pure returns (uint256) {
        revert("out of order");
    }
}
